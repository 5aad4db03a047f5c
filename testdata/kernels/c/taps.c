/* A filter of eight constant coefficients.
 * Special: an inner loop of eight iterations over a window that moves on by one element.
 * Sizes: 4 32 */
static const int h[8] = {-3, 5, 21, 41, 41, 21, 5, -3};

void taps(const int *restrict x, int *restrict y, int n)
{
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int k = 0; k < 8; k++)
            s += h[k] * x[i + k];
        y[i] = s >> 7;
    }
}
