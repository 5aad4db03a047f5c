/* Cholesky factor of a symmetric matrix, float; entries that would need the root of
 * a negative number use its size.
 * Special: triangular in three loops, sqrtf and fabsf, a condition on i == j.
 * Sizes: 8 */
#include <math.h>

#include "include/shape.h"

void cholesky(const float a[N][N], float l[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            float sum = a[i][j];
            for (int k = 0; k < j; k++)
                sum -= l[i][k] * l[j][k];
            if (i == j)
                l[i][j] = sqrtf(fabsf(sum) + 1.0f);
            else
                l[i][j] = sum / l[j][j];
        }
}
