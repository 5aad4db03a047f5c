/* CRC-32 by bytes with a table that is made first.
 * Special: the table is a local array of 256 entries; a loop of eight steps that selects.
 * Sizes: 0 8 */
#include <stdint.h>

#define POLYNOMIAL 0xedb88320u

uint32_t crc32_table(const uint8_t *data, int n)
{
    uint32_t table[256];
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? POLYNOMIAL ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
    uint32_t crc = 0xffffffffu;
    for (int i = 0; i < n; i++)
        crc = table[(crc ^ data[i]) & 0xff] ^ (crc >> 8);
    return crc ^ 0xffffffffu;
}
