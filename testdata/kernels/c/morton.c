/* Morton codes of pairs of 16-bit coordinates.
 * Special: bit spreading by a macro with masks, array of structs.
 * Sizes: 0 1 8 */
#include <stdint.h>

struct point {
    uint16_t x, y;
};

#define SPREAD(v, by, mask) ((v) = ((v) | (v) << (by)) & (mask))

static uint32_t spread(uint32_t v)
{
    SPREAD(v, 8, 0x00ff00ffu);
    SPREAD(v, 4, 0x0f0f0f0fu);
    SPREAD(v, 2, 0x33333333u);
    SPREAD(v, 1, 0x55555555u);
    return v;
}

void morton(const struct point *p, uint32_t *code, int n)
{
    for (int i = 0; i < n; i++)
        code[i] = spread(p[i].x) | spread(p[i].y) << 1;
}
