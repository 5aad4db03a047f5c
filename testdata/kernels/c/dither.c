/* One-bit dithering with the error carried on.
 * Special: the error is a static variable of the function.
 * Sizes: 0 1 8 */
void dither(const unsigned char *in, unsigned char *out, int n)
{
    static int error = 12;
    for (int i = 0; i < n; i++) {
        int v = in[i] + error;
        out[i] = v > 127;
        error = v - (out[i] ? 255 : 0);
    }
}
