/* Base64 of bytes; returns the length of the text.
 * Special: a string as table, groups of three, a rest of one or two with padding.
 * Sizes: none */
static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int base64(const unsigned char *in, int n, char *out)
{
    int at = 0, i = 0;
    for (; i + 3 <= n; i += 3) {
        unsigned v = (unsigned)in[i] << 16 | in[i + 1] << 8 | in[i + 2];
        for (int s = 18; s >= 0; s -= 6)
            out[at++] = digit[v >> s & 63];
    }
    if (i < n) {
        unsigned v = (unsigned)in[i] << 16 | (i + 1 < n ? in[i + 1] << 8 : 0);
        out[at++] = digit[v >> 18];
        out[at++] = digit[v >> 12 & 63];
        out[at++] = i + 1 < n ? digit[v >> 6 & 63] : '=';
        out[at++] = '=';
    }
    return at;
}
