/* Finite impulse response of five integer taps; samples before the first are zero.
 * Special: static const table, inner loop bounded by the outer counter.
 * Sizes: 0 1 8 20 */
#define TAPS 5

static const int tap[TAPS] = {3, -7, 21, -7, 3};

void fir(const int *x, int *y, int n)
{
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int k = 0; k < TAPS && k <= i; k++)
            sum += tap[k] * x[i - k];
        y[i] = sum >> 4;
    }
}
