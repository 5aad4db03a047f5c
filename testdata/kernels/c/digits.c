/* The decimal digits of small numbers, and Adler's checksum of them byte by byte.
 * Special: quotient and remainder by one number, remainders that loops carry, of sums below twice the divisor.
 * Sizes: 0 1 8 */
unsigned digits(const unsigned short *restrict x, unsigned char *restrict text, int n)
{
    unsigned a = 1, b = 0;
    for (int i = 0; i < n; i++) {
        unsigned v = x[i] % 100u;
        unsigned char high = '0' + v / 10, low = '0' + v % 10;
        text[2 * i] = high;
        text[2 * i + 1] = low;
        a = (a + high) % 65521;
        b = (b + a) % 65521;
        a = (a + low) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}
