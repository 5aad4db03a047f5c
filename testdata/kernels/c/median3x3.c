/* Median of each 3x3 neighbourhood.
 * Special: a local array of nine that an insertion sort orders, four loops deep.
 * Sizes: 8 */
#include "include/image.h"

void median3x3(const byte in[ROWS][COLS], byte out[ROWS][COLS])
{
    for (int r = 1; r < ROWS - 1; r++)
        for (int c = 1; c < COLS - 1; c++) {
            byte v[9];
            int n = 0;
            for (int dr = -1; dr <= 1; dr++)
                for (int dc = -1; dc <= 1; dc++) {
                    byte x = in[r + dr][c + dc];
                    int at = n++;
                    while (at > 0 && v[at - 1] > x) {
                        v[at] = v[at - 1];
                        at--;
                    }
                    v[at] = x;
                }
            out[r][c] = v[4];
        }
}
