/* Divides a long number of 16-bit digits, most significant first, by a small one.
 * Special: the remainder goes from digit to digit, divisor zero becomes one.
 * Sizes: 0 1 8 */
unsigned long_division(unsigned short *digits, int n, unsigned short divisor)
{
    unsigned rest = 0, d = divisor + !divisor;
    for (int i = 0; i < n; i++) {
        unsigned part = rest << 16 | digits[i];
        digits[i] = (unsigned short)(part / d);
        rest = part % d;
    }
    return rest;
}
