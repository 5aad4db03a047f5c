/* LU decomposition in place, double precision. Returns the row of the first pivot that
 * is zero, N where there is none.
 * Special: three triangular loops, one exit in the middle of the outer one.
 * Sizes: 8 */
#include "include/shape.h"

int lu(double a[N][N])
{
    for (int k = 0; k < N; k++) {
        if (a[k][k] == 0.0)
            return k;
        for (int i = k + 1; i < N; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < N; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
    }
    return N;
}
