/* Discrete cosine transform of rows of 8 numbers, Q10 table.
 * Special: two-dimensional static const table, a local row so that input and output may be one.
 * Sizes: 0 1 4 */
static const short basis[8][8] = {
    {362, 362, 362, 362, 362, 362, 362, 362},
    {502, 426, 284, 100, -100, -284, -426, -502},
    {473, 196, -196, -473, -473, -196, 196, 473},
    {426, -100, -502, -284, 284, 502, 100, -426},
    {362, -362, -362, 362, 362, -362, -362, 362},
    {284, -502, 100, 426, -426, -100, 502, -284},
    {196, -473, 473, -196, -196, 473, -473, 196},
    {100, -284, 426, -502, 502, -426, 284, -100},
};

void dct8(int rows, int x[][8])
{
    for (int r = 0; r < rows; r++) {
        int out[8];
        for (int u = 0; u < 8; u++) {
            int sum = 512;
            for (int i = 0; i < 8; i++)
                sum += basis[u][i] * x[r][i];
            out[u] = sum >> 10;
        }
        for (int u = 0; u < 8; u++)
            x[r][u] = out[u];
    }
}
