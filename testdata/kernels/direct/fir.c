/* One output of a finite impulse response filter of N taps: the newest sample meets the first tap.
 * Special: one of the two arrays is read from its end.
 * Sizes: 1000 */
#ifndef N
#define N 1000
#endif

int fir(const int sample[N], const int tap[N])
{
    int out = 0;
    for (int i = 0; i < N; i++)
        out += tap[i] * sample[N - 1 - i];
    return out;
}
