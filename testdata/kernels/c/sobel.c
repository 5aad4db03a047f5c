/* Size of the gradient by Sobel's operator.
 * Special: constant neighbours, abs of the library, saturation to a byte.
 * Sizes: 8 */
#include <stdlib.h>

#include "include/image.h"

void sobel(const byte in[ROWS][COLS], byte out[ROWS][COLS])
{
    for (int r = 1; r < ROWS - 1; r++)
        for (int c = 1; c < COLS - 1; c++) {
            int gx = in[r - 1][c + 1] - in[r - 1][c - 1] + 2 * (in[r][c + 1] - in[r][c - 1])
                + in[r + 1][c + 1] - in[r + 1][c - 1];
            int gy = in[r + 1][c - 1] - in[r - 1][c - 1] + 2 * (in[r + 1][c] - in[r - 1][c])
                + in[r + 1][c + 1] - in[r - 1][c + 1];
            int mag = abs(gx) + abs(gy);
            out[r][c] = (byte)(mag > 255 ? 255 : mag);
        }
}
