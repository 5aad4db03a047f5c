/* Shortest paths from vertex 0 over a list of edges; false for a negative cycle.
 * Special: array of structs with fields of several widths, a flag that ends the loop early.
 * Sizes: none */
#include <stdbool.h>
#include <stdint.h>

struct edge {
    uint8_t from, to;
    int16_t weight;
};

bool bellman_ford(const struct edge *edges, int m, int *dist, int n)
{
    const int far = 1 << 20;
    for (int v = 0; v < n; v++)
        dist[v] = v ? far : 0;
    for (int round = 0; round < n; round++) {
        bool changed = false;
        for (int e = 0; e < m; e++) {
            struct edge x = edges[e];
            if (dist[x.from] < far && dist[x.from] + x.weight < dist[x.to]) {
                dist[x.to] = dist[x.from] + x.weight;
                changed = true;
            }
        }
        if (!changed)
            return true;
    }
    return n == 0;
}
