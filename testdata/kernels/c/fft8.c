/* Fast Fourier transform of 8 complex numbers in Q14, decimation in frequency, results in
 * bit-reversed order.
 * Special: array of structs, block length halved each stage, a butterfly as a helper with
 * struct arguments.
 * Sizes: 8 */
typedef struct {
    int re, im;
} cplx;

static const short cosine[4] = {16384, 11585, 0, -11585};
static const short sine[4] = {0, -11585, -16384, -11585};

static cplx turn(cplx a, int k)
{
    cplx r;
    r.re = (a.re * cosine[k] - a.im * sine[k]) >> 14;
    r.im = (a.re * sine[k] + a.im * cosine[k]) >> 14;
    return r;
}

void fft8(cplx x[8])
{
    for (int half = 4, step = 1; half > 0; half >>= 1, step <<= 1)
        for (int base = 0; base < 8; base += 2 * half)
            for (int k = 0; k < half; k++) {
                cplx a = x[base + k], b = x[base + k + half];
                cplx d = {a.re - b.re, a.im - b.im};
                x[base + k].re = a.re + b.re;
                x[base + k].im = a.im + b.im;
                x[base + k + half] = turn(d, k * step);
            }
}
