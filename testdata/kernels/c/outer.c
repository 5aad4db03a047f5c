/* Adds the outer product of two vectors of 16-bit integers to a matrix.
 * Special: short operands, unsigned counters, a row that is skipped.
 * Sizes: 8 */
#include "include/shape.h"

void outer(const short *restrict x, const short *restrict y, int m[restrict][N])
{
    for (unsigned i = 0; i < N; ++i) {
        if (!x[i])
            continue;
        for (unsigned j = 0; j != N; ++j)
            m[i][j] += x[i] * y[j];
    }
}
