/* Grey value of pixels of three bytes.
 * Special: an array of structs of bytes, weights that sum up to 256.
 * Sizes: 0 1 8 */
struct pixel {
    unsigned char r, g, b;
};

void rgb_to_gray(const struct pixel *in, unsigned char *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = (unsigned char)((77 * in[i].r + 150 * in[i].g + 29 * in[i].b) >> 8);
}
