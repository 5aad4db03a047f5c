/* CRC-32 with a table of 16 entries, two look-ups per byte.
 * Special: static const table of unsigned, dependent loads.
 * Sizes: 0 1 8 */
#include <stdint.h>

static const uint32_t table[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

uint32_t crc32_nibble(uint32_t crc, const uint8_t *data, int n)
{
    crc = ~crc;
    for (int i = 0; i < n; i++) {
        crc ^= data[i];
        crc = table[crc & 15] ^ (crc >> 4);
        crc = table[crc & 15] ^ (crc >> 4);
    }
    return ~crc;
}
