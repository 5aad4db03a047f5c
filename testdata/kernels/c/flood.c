/* Flood fill from a corner with a stack of its own; returns the size of the region.
 * Special: a work list in a local array, bool marks, neighbours tried in a loop over tables.
 * Sizes: 8 */
#include <stdbool.h>

#define W 8

static const signed char dr[4] = {-1, 0, 1, 0};
static const signed char dc[4] = {0, 1, 0, -1};

int flood(const signed char map[W][W], bool mark[W][W])
{
    unsigned char stack[W * W];
    int top = 0, filled = 0;
    for (int r = 0; r < W; r++)
        for (int c = 0; c < W; c++)
            mark[r][c] = false;
    mark[0][0] = true;
    stack[top++] = 0;
    do {
        int at = stack[--top];
        filled++;
        for (int k = 0; k < 4; k++) {
            int r = at / W + dr[k], c = at % W + dc[k];
            if (r < 0 || r >= W || c < 0 || c >= W || mark[r][c] || map[r][c] < 0)
                continue;
            mark[r][c] = true;
            stack[top++] = (unsigned char)(r * W + c);
        }
    } while (top > 0);
    return filled;
}
