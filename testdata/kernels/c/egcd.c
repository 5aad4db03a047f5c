/* Extended greatest common divisors: g = s a + t b for each pair.
 * Special: six values rotate by parallel assignment, division and remainder, three outputs.
 * Sizes: 0 1 8 */
void egcd(const int *a, const int *b, int *g, int *s, int *t, int n)
{
    for (int i = 0; i < n; i++) {
        int r0 = a[i], r1 = b[i], s0 = 1, s1 = 0, t0 = 0, t1 = 1;
        while (r1 != 0) {
            int q = r0 / r1, r = r0 % r1;
            r0 = r1, r1 = r;
            r = s0 - q * s1, s0 = s1, s1 = r;
            r = t0 - q * t1, t0 = t1, t1 = r;
        }
        g[i] = r0, s[i] = s0, t[i] = t0;
    }
}
