/* Breadth-first levels on an adjacency matrix; returns the number of levels.
 * Special: two loops over all vertices inside a loop that runs while something changed.
 * Sizes: 8 */
#include "include/shape.h"

int bfs(const signed char edge[N][N], int level[N], int source)
{
    int depth = 0, changed = 1;
    for (int v = 0; v < N; v++)
        level[v] = -1;
    level[source & (N - 1)] = 0;
    while (changed) {
        changed = 0;
        for (int u = 0; u < N; u++) {
            if (level[u] != depth)
                continue;
            for (int v = 0; v < N; v++)
                if (edge[u][v] > 70 && level[v] < 0) {
                    level[v] = depth + 1;
                    changed = 1;
                }
        }
        depth++;
    }
    return depth;
}
