/* Adler-32 checksum, the remainders taken once per block.
 * Special: a block loop inside, its length the smaller of rest and limit.
 * Sizes: 0 1 8 */
#define MODULUS 65521u
#define BLOCK 5

unsigned adler32(const unsigned char *data, unsigned n)
{
    unsigned a = 1, b = 0;
    while (n > 0) {
        unsigned len = n < BLOCK ? n : BLOCK;
        n -= len;
        do {
            a += *data++;
            b += a;
        } while (--len);
        a %= MODULUS;
        b %= MODULUS;
    }
    return b << 16 | a;
}
