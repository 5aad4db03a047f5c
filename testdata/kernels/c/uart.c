/* Decodes bytes from a sampled serial line, one sample per bit; returns how many.
 * Special: counter states as numbers, framing errors drop a byte.
 * Sizes: 0 1 8 */
int uart(const unsigned char *line, int n, unsigned char *out)
{
    int made = 0, state = 0;
    unsigned char shift = 0;
    for (int i = 0; i < n; i++) {
        int bit = line[i] & 1;
        if (state == 0) {
            if (!bit) {
                state = 1;
                shift = 0;
            }
        } else if (state <= 8) {
            shift = (unsigned char)(shift >> 1 | bit << 7);
            state++;
        } else {
            if (bit)
                out[made++] = shift;
            state = 0;
        }
    }
    return made;
}
