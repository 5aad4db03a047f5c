/* d = alpha * a * b * c + beta * d for square matrices of N rows, with t for what alpha * a * b is.
 * Special: sums are kept in the arrays themselves, so each step reads what the one before it has stored; the second
 * product reads what the first has written.
 * Sizes: 10 */
#ifndef N
#define N 10
#endif

void kernel_2mm(int alpha, int beta, int t[restrict N][N], int a[N][N], int b[N][N], int c[N][N], int d[restrict N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            t[i][j] = 0;
            for (int k = 0; k < N; k++)
                t[i][j] += alpha * a[i][k] * b[k][j];
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            d[i][j] *= beta;
            for (int k = 0; k < N; k++)
                d[i][j] += t[i][k] * c[k][j];
        }
}
