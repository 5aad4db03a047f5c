/* Autocorrelation for all lags.
 * Special: triangular, the inner bound falls as the outer counter rises.
 * Sizes: 0 1 8 */
void autocorr(const short *x, int *r, int n)
{
    for (int lag = 0; lag < n; lag++) {
        int sum = 0;
        for (int i = 0; i < n - lag; i++)
            sum += x[i] * x[i + lag];
        r[lag] = sum;
    }
}
