/* One step of page rank in single precision over compressed columns; returns the change.
 * Special: gather through an index array, absolute difference summed up.
 * Sizes: none */
#include <math.h>

float pagerank(int n, const int *start, const int *from, const float *share, const float *rank, float *next)
{
    float moved = 0.0f;
    for (int v = 0; v < n; v++) {
        float in = 0.0f;
        for (int k = start[v]; k != start[v + 1]; k++)
            in += rank[from[k]] * share[from[k]];
        next[v] = 0.15f / (float)n + 0.85f * in;
        moved += fabsf(next[v] - rank[v]);
    }
    return moved;
}
