/* Enlarges a 4x4 image to 8x8 by bilinear interpolation in Q8.8.
 * Special: positions are inductions with a step in fixed point, split into whole and fraction.
 * Sizes: 8 */
#include "include/fixed.h"

#define SRC 4
#define DST 8

void bilinear(const unsigned char src[SRC][SRC], unsigned char dst[DST][DST])
{
    const q8 step = Q8(SRC - 1) / (DST - 1);
    q8 y = 0;
    for (int r = 0; r < DST; r++, y += step) {
        int y0 = y >> 8, fy = y & 255, y1 = y0 < SRC - 1 ? y0 + 1 : y0;
        q8 x = 0;
        for (int c = 0; c < DST; c++, x += step) {
            int x0 = x >> 8, fx = x & 255, x1 = x0 < SRC - 1 ? x0 + 1 : x0;
            q8 top = Q8_MUL(src[y0][x0], 256 - fx) + Q8_MUL(src[y0][x1], fx);
            q8 bottom = Q8_MUL(src[y1][x0], 256 - fx) + Q8_MUL(src[y1][x1], fx);
            dst[r][c] = (unsigned char)(Q8_MUL(top, 256 - fy) + Q8_MUL(bottom, fy));
        }
    }
}
