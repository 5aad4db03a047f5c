/* Erosion: the smallest byte of each cross-shaped neighbourhood, edges repeated.
 * Special: neighbour indices clamped by conditions, a min macro.
 * Sizes: 8 */
#include "include/image.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))

void erode(const byte in[ROWS][COLS], byte out[ROWS][COLS])
{
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++) {
            int up = r ? r - 1 : 0, down = r < ROWS - 1 ? r + 1 : r;
            int left = c ? c - 1 : 0, right = c < COLS - 1 ? c + 1 : c;
            byte v = in[r][c];
            v = MIN(v, in[up][c]);
            v = MIN(v, in[down][c]);
            v = MIN(v, in[r][left]);
            v = MIN(v, in[r][right]);
            out[r][c] = v;
        }
}
