/* Hash of bytes in words of four with a tail and a finaliser.
 * Special: words put together from bytes, rotation, a switch that falls through.
 * Sizes: 0 1 5 8 */
#include <stdint.h>

#define ROTL(x, k) ((x) << (k) | (x) >> (32 - (k)))

static inline uint32_t scramble(uint32_t k)
{
    k *= 0xcc9e2d51u;
    k = ROTL(k, 15);
    return k * 0x1b873593u;
}

uint32_t murmur(const uint8_t *key, uint32_t len, uint32_t seed)
{
    uint32_t h = seed, k = 0, blocks = len / 4;
    for (uint32_t i = 0; i < blocks; i++) {
        const uint8_t *p = key + 4 * i;
        h ^= scramble(p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24);
        h = ROTL(h, 13) * 5 + 0xe6546b64u;
    }
    const uint8_t *tail = key + 4 * blocks;
    switch (len & 3) {
    case 3:
        k ^= (uint32_t)tail[2] << 16;
        /* fall through */
    case 2:
        k ^= (uint32_t)tail[1] << 8;
        /* fall through */
    case 1:
        k ^= tail[0];
        h ^= scramble(k);
    }
    h ^= len;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}
