/* Histogram equalisation with 16 levels.
 * Special: local tables cleared by memset, four loops one after the other, a table look-up
 * chain.
 * Sizes: 0 1 8 */
#include <string.h>

#define LEVELS 16

void histeq(unsigned char *pixels, unsigned n)
{
    unsigned count[LEVELS];
    unsigned char map[LEVELS];
    memset(count, 0, sizeof count);
    if (n == 0)
        return;
    for (unsigned i = 0; i < n; i++)
        count[pixels[i] >> 4]++;
    for (int k = 1; k < LEVELS; k++)
        count[k] += count[k - 1];
    for (int k = 0; k < LEVELS; k++)
        map[k] = (unsigned char)(count[k] * 255u / n);
    for (unsigned i = 0; i < n; i++)
        pixels[i] = map[pixels[i] >> 4];
}
