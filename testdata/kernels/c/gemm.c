/* C = alpha A B + beta C in double precision, rows one after the other.
 * Special: sizes of all three dimensions are arguments, a product of two sizes is the
 * length of each array.
 * Sizes: 1 4 */
void gemm(int m, int n, int k, double alpha, const double *a, const double *b, double beta, double *c)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int p = 0; p < k; p++)
                sum += a[i * k + p] * b[p * n + j];
            c[i * n + j] = alpha * sum + beta * c[i * n + j];
        }
}
