/* Power of one frequency, Goertzel's recursion in fixed point.
 * Special: second-order recurrence, 64-bit product, result of 64 bits.
 * Sizes: 0 1 8 */
long long goertzel(const short *x, int n, int coeff)
{
    int s1 = 0, s2 = 0;
    coeff = 23170 + 16 * coeff;
    for (int i = 0; i < n; i++) {
        int s0 = x[i] + (int)(((long long)coeff * s1) >> 14) - s2;
        s2 = s1;
        s1 = s0;
    }
    return (long long)s1 * s1 + (long long)s2 * s2 - (((long long)coeff * s1) >> 14) * s2;
}
