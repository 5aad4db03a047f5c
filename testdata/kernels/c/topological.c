/* Topological order of a directed graph; returns how many vertices could be ordered.
 * Special: counts in a local array, a queue that is the output array itself.
 * Sizes: 8 */
#include "include/shape.h"

int topological(const signed char edge[N][N], int order[N])
{
    int indegree[N] = {0}, head = 0, tail = 0;
    for (int u = 0; u < N; u++)
        for (int v = 0; v < N; v++)
            indegree[v] += u < v && edge[u][v] > 20;
    for (int v = 0; v < N; v++)
        if (indegree[v] == 0)
            order[tail++] = v;
    while (head < tail) {
        int u = order[head++];
        for (int v = u + 1; v < N; v++)
            if (edge[u][v] > 20 && --indegree[v] == 0)
                order[tail++] = v;
    }
    return tail;
}
