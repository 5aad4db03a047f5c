/* Running mean over a window; the first outputs use what there is.
 * Special: one running sum, division by a data-dependent count, a window of zero does nothing.
 * Sizes: 0 1 8 */
void moving_average(const int *x, int *y, int n, int window)
{
    if (window < 1)
        return;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        if (i >= window)
            sum -= x[i - window];
        y[i] = sum / (i < window ? i + 1 : window);
    }
}
