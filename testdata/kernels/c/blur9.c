/* Mean of three by three pixels, and how far the signed image of the differences is off zero, in place of a shift a division.
 * Special: divisions by constants with and without a sign, by powers of two as well, a remainder as subscript.
 * Sizes: 8 */
#define N 8

int blur9(const unsigned char in[restrict N][N], unsigned char out[restrict N][N], short bins[restrict 5])
{
    int off = 0;
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) {
            unsigned sum = 0;
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++)
                    sum += in[i + y][j + x];
            out[i][j] = sum / 9;
            int difference = in[i][j] - out[i][j];
            bins[(unsigned)(difference + 255) % 5] += difference / 4;
            off += difference / -3 + difference % 8;
        }
    return off;
}
