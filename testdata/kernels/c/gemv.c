/* y = alpha A x + beta y in single precision, A with a leading dimension.
 * Special: the row index is multiplied by a parameter; beta = 0 takes another path.
 * Sizes: none */
void gemv(int m, int n, float alpha, const float *a, int lda, const float *x, float beta, float *y)
{
    for (int i = 0; i < m; i++) {
        float sum = 0.0f;
        for (int j = 0; j < n; j++)
            sum += a[i * lda + j] * x[j];
        if (beta == 0.0f)
            y[i] = alpha * sum;
        else
            y[i] = alpha * sum + beta * y[i];
    }
}
