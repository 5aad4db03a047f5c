/* Shortest paths between all vertices; no path is the largest number.
 * Special: three loops over one array read and written, a condition that skips the inner one.
 * Sizes: 8 */
#include "include/shape.h"

#define NONE 0x3fffffff

void floyd_warshall(int d[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            d[i][j] = i == j ? 0 : d[i][j] <= 0 ? NONE : d[i][j];
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++) {
            if (d[i][k] == NONE)
                continue;
            for (int j = 0; j < N; j++)
                if (d[k][j] != NONE && d[i][k] + d[k][j] < d[i][j])
                    d[i][j] = d[i][k] + d[k][j];
        }
}
