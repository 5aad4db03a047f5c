/* Convolution of an image with a 3x3 kernel; the border stays untouched.
 * Special: four nested loops, bytes times signed char, a clamp as a chain of conditions.
 * Sizes: 8 */
#include "include/image.h"

void conv2d(byte in[ROWS][COLS], const signed char kernel[3][3], int shift, byte out[ROWS][COLS])
{
    for (int r = 1; r < ROWS - 1; r++)
        for (int c = 1; c < COLS - 1; c++) {
            int sum = 0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    sum += in[r + i - 1][c + j - 1] * kernel[i][j];
            sum >>= shift;
            out[r][c] = (byte)CLAMP(sum, 0, 255);
        }
}
