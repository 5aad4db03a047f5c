/* Iterations of the Mandelbrot set along a line.
 * Special: do-while with a condition of two parts, float.
 * Sizes: 0 1 8 */
int mandel_float(int *count, int n, float left, float height)
{
    int total = 0;
    for (int i = 0; i < n; i++) {
        float cr = left * 0.02f + (float)i * 0.1f, ci = height * 0.01f;
        float zr = 0.0f, zi = 0.0f;
        int k = 0;
        do {
            float t = zr * zr - zi * zi + cr;
            zi = 2.0f * zr * zi + ci;
            zr = t;
        } while (++k < 40 && zr * zr + zi * zi <= 4.0f);
        count[i] = k;
        total += k;
    }
    return total;
}
