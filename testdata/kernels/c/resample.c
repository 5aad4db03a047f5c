/* Doubles the rate: the first n/2 samples spread over n positions, linear in between.
 * Special: two stores per iteration at twice the counter, the last one differs.
 * Sizes: 0 1 8 9 */
void resample(const int *restrict x, int *restrict y, unsigned n)
{
    unsigned half = n / 2;
    for (unsigned i = 0; i < half; i++) {
        int next = i + 1 < half ? x[i + 1] : x[i];
        y[2 * i] = x[i];
        y[2 * i + 1] = (x[i] + next) / 2;
    }
}
