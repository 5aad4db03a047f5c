/* Powers modulo m by squaring.
 * Special: 64-bit products of 32-bit operands, an exponent that is shifted away.
 * Sizes: 0 1 8 */
#include <stdint.h>

void modpow(const uint32_t *base, const uint32_t *exponent, uint32_t *out, int n, uint32_t m)
{
    m += 1000003u;
    for (int i = 0; i < n; i++) {
        uint64_t b = base[i] % m, r = 1;
        for (uint32_t e = exponent[i]; e != 0; e >>= 1) {
            if (e & 1)
                r = r * b % m;
            b = b * b % m;
        }
        out[i] = (uint32_t)r;
    }
}
