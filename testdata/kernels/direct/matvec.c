/* Product of a square matrix and a vector, as many rows as N says.
 * Special: two loops whose bounds are known; the inner one starts anew for every row, and the row's sum leaves through a store.
 * Sizes: 32 */
#ifndef N
#define N 32
#endif

void matvec(int m[N][N], int x[N], int y[restrict N])
{
    for (int i = 0; i < N; i++) {
        int sum = 0;
        for (int j = 0; j < N; j++)
            sum += m[i][j] * x[j];
        y[i] = sum;
    }
}
