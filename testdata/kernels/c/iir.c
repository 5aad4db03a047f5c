/* First-order low pass on 16-bit samples, Q12 coefficients, in place.
 * Special: state in 32 bits, rounding shift, conversion to short.
 * Sizes: 0 1 8 */
enum { ONE = 1 << 12, POLE = 3277 };

void iir(short *x, int n)
{
    int state = 0;
    short *p = x;
    while (n-- > 0) {
        state += ((*p * ONE - state) * (long long)POLE) >> 12;
        *p++ = (short)((state + ONE / 2) >> 12);
    }
}
