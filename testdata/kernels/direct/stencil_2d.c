/* One row of a 3x3 filter over an image of WIDTH columns; returns the last pixel.
 * Special: three nested loops, the inner two of three steps each.
 * Sizes: 30 */
#ifndef WIDTH
#define WIDTH 30
#endif
#define SIDE 3

int stencil_2d(const int image[WIDTH * WIDTH], const int filter[SIDE * SIDE], int row[restrict WIDTH])
{
    int pixel = 0;
    for (int at = 0; at <= WIDTH - SIDE; at++) {
        pixel = 0;
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++)
                pixel += filter[i * SIDE + j] * image[i * WIDTH + at + j];
        row[at] = pixel;
    }
    return pixel;
}
