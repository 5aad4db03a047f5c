/* Product of two integer matrices.
 * Special: fixed-size array parameters, loops from a macro of an included header.
 * Sizes: 8 */
#include "include/shape.h"

void matmul(int a[N][N], int b[N][N], int c[N][N])
{
    FOR (i, 0, N)
        FOR (j, 0, N) {
            int sum = 0;
            FOR (k, 0, N)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}
