/* Filter whose samples, coefficients and position are an object of the caller.
 * Special: a struct with two arrays and a number, subscripts from a member, wrap-around by a mask.
 * Sizes: 0 1 8 */
struct fir {
    int samples[8];
    short taps[8];
    unsigned at;
};

void fir_state(struct fir *f, const int *restrict in, int *restrict out, int n)
{
    for (int i = 0; i < n; i++) {
        f->samples[f->at & 7] = in[i];
        int sum = 0;
        for (int k = 0; k < 8; k++)
            sum += f->taps[k] * f->samples[(f->at - k) & 7];
        f->at++;
        out[i] = sum >> 4;
    }
}
