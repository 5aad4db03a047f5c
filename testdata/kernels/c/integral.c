/* Integral image: the sum of everything above and to the left.
 * Special: reads the row it wrote before; the first row and column are conditions.
 * Sizes: 8 */
#include "include/image.h"

void integral(const byte in[ROWS][COLS], unsigned out[ROWS][COLS])
{
    for (int r = 0; r < ROWS; r++) {
        unsigned row = 0;
        for (int c = 0; c < COLS; c++) {
            row += in[r][c];
            out[r][c] = row + (r > 0 ? out[r - 1][c] : 0);
        }
    }
}
