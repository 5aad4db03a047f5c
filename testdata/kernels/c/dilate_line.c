/* Dilation of a line by a radius: the largest value within reach.
 * Special: the inner bounds are the outer counter plus and minus a parameter, clamped.
 * Sizes: 0 1 8 */
void dilate_line(const short *in, short *out, int n, int radius)
{
    for (int i = 0; i < n; i++) {
        int from = i - radius, to = i + radius;
        if (from < 0)
            from = 0;
        if (to >= n)
            to = n - 1;
        short best = in[i];
        for (int k = from; k <= to; k++)
            best = in[k] > best ? in[k] : best;
        out[i] = best;
    }
}
