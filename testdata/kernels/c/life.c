/* One generation of the game of life on a torus.
 * Special: coordinates modulo the size by masks, a function as macro, two-level neighbour loop
 * that skips the middle.
 * Sizes: 8 */
#define G 8
#define ALIVE(x) ((x) > 30)

void life(const signed char cell[G][G], unsigned char next[G][G])
{
    for (int r = 0; r < G; r++)
        for (int c = 0; c < G; c++) {
            int around = 0;
            for (int i = -1; i <= 1; i++)
                for (int j = -1; j <= 1; j++) {
                    if (!i && !j)
                        continue;
                    around += ALIVE(cell[(r + i) & (G - 1)][(c + j) & (G - 1)]);
                }
            next[r][c] = around == 3 || (around == 2 && ALIVE(cell[r][c]));
        }
}
