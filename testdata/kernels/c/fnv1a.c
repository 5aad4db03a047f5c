/* FNV-1a hash of bytes, 32 bits.
 * Special: pointer as induction, compared with an end pointer.
 * Sizes: 0 1 8 */
#include <stdint.h>

uint32_t fnv1a(const uint8_t *data, uint32_t n)
{
    uint32_t hash = 2166136261u;
    const uint8_t *end = data + n;
    while (data != end) {
        hash ^= *data++;
        hash *= 16777619u;
    }
    return hash;
}
