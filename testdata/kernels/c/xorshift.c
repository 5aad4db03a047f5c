/* Random numbers of a 64-bit xorshift generator, the upper half of each.
 * Special: 64-bit state through the loop, seed of zero replaced.
 * Sizes: 0 1 8 */
#include <stdint.h>

uint64_t xorshift(uint64_t seed, uint32_t *out, int n)
{
    uint64_t s = seed ? seed : 0x9e3779b97f4a7c15u;
    for (int i = 0; i < n; i++) {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        out[i] = (uint32_t)(s >> 32);
    }
    return s;
}
