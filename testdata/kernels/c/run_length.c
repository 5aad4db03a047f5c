/* Run-length encoding as pairs of count and byte; stops where the output is full.
 * Special: inner loop with three conditions, exit in the middle, sizes of both arrays.
 * Sizes: 0 1 8 */
int run_length(const unsigned char *in, int n, unsigned char *out, int room)
{
    int made = 0;
    for (int i = 0; i < n;) {
        unsigned char value = in[i] >> 5;
        int count = 0;
        while (i < n && in[i] >> 5 == value && count < 255) {
            i++;
            count++;
        }
        if (made + 2 > room)
            return -made;
        out[made++] = (unsigned char)count;
        out[made++] = value;
    }
    return made;
}
