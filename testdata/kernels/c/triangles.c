/* Number of triangles in an undirected graph given as rows of bits.
 * Special: count of set bits as a builtin, shifts by the counters.
 * Sizes: 0 1 8 */
int triangles(const unsigned short *row, int n)
{
    int count = 0;
    if (n > 16)
        n = 16;
    for (int u = 0; u < n; u++)
        for (int v = 0; v < u; v++)
            if (row[u] >> v & 1)
                count += __builtin_popcount(row[u] & row[v] & ((1u << v) - 1));
    return count;
}
