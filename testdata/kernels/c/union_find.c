/* Number of connected components; edges are pairs of vertices modulo 16.
 * Special: two searches with path halving per edge, a helper inlined twice.
 * Sizes: 0 1 8 */
#define V 16

static int find(unsigned char *parent, int v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

int union_find(const int *a, const int *b, int edges)
{
    unsigned char parent[V];
    int components = V;
    for (int v = 0; v < V; v++)
        parent[v] = (unsigned char)v;
    for (int e = 0; e < edges; e++) {
        int ra = find(parent, a[e] & (V - 1)), rb = find(parent, b[e] & (V - 1));
        if (ra == rb)
            continue;
        if (ra < rb)
            parent[rb] = (unsigned char)ra;
        else
            parent[ra] = (unsigned char)rb;
        components--;
    }
    return components;
}
