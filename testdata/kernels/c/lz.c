/* Unpacks a stream of literals and copies from up to eight bytes back; returns the length.
 * Special: an inner loop that copies from its own output, the outer one advances by either form.
 * Sizes: 0 1 8 20 */
int lz(const unsigned char *restrict in, int n, unsigned char *restrict out)
{
    int made = 0;
    for (int i = 0; i < n; i++) {
        int length = in[i] & 3, back = (in[i] >> 2 & 7) + 1;
        if (length == 0 || back > made) {
            out[made++] = in[i];
            continue;
        }
        for (int k = 0; k < length; k++, made++)
            out[made] = out[made - back];
    }
    return made;
}
