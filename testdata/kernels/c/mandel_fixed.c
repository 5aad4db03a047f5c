/* Iterations of the Mandelbrot set in Q8.8.
 * Special: nested loop with two exits, a header shared with other kernels.
 * Sizes: 8 */
#include "include/fixed.h"

#define SIDE 8
#define LIMIT 20

void mandel_fixed(unsigned char out[SIDE][SIDE])
{
    for (int r = 0; r < SIDE; r++)
        for (int c = 0; c < SIDE; c++) {
            q8 cr = Q8(-2) + c * Q8(3) / SIDE, ci = Q8(-1) + r * Q8(2) / SIDE;
            q8 zr = 0, zi = 0;
            int k = 0;
            while (k < LIMIT) {
                q8 rr = Q8_MUL(zr, zr), ii = Q8_MUL(zi, zi);
                if (rr + ii > Q8(4))
                    break;
                zi = 2 * Q8_MUL(zr, zi) + ci;
                zr = rr - ii + cr;
                k++;
            }
            out[r][c] = (unsigned char)k;
        }
}
