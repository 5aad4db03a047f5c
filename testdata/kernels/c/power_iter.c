/* Largest eigenvalue by power iteration, double.
 * Special: a matrix-vector product and a norm inside a loop, left when the norm is zero.
 * Sizes: 8 */
#include <math.h>

#include "include/shape.h"

double power_iter(double a[N][N], double v[N], int rounds)
{
    double norm = 0.0;
    for (int t = 0; t < rounds; t++) {
        double w[N], square = 0.0;
        for (int i = 0; i < N; i++) {
            w[i] = 0.0;
            for (int j = 0; j < N; j++)
                w[i] += a[i][j] * v[j];
            square += w[i] * w[i];
        }
        norm = sqrt(square);
        if (norm == 0.0)
            break;
        for (int i = 0; i < N; i++)
            v[i] = w[i] / norm;
    }
    return norm;
}
