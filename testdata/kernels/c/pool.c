/* The largest of two by two pixels, and their mean.
 * Special: loops of two iterations, which LLVM makes flags of.
 * Sizes: 8 */
#define H 8
#define W 8

void pool(const int in[restrict H][W], int top[restrict H / 2][W / 2], int mean[restrict H / 2][W / 2])
{
    for (int y = 0; y < H / 2; y++)
        for (int x = 0; x < W / 2; x++) {
            int m = -2147483647 - 1;
            unsigned s = 0;
            for (int dy = 0; dy < 2; dy++)
                for (int dx = 0; dx < 2; dx++) {
                    int v = in[2 * y + dy][2 * x + dx];
                    m = v > m ? v : m;
                    s += (unsigned)v;
                }
            top[y][x] = m;
            mean[y][x] = (int)s >> 2;
        }
}
