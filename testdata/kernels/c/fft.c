/* Fast Fourier transform of 16 complex numbers in place, float, decimation in time; the
 * roots of unity are given.
 * Special: bits of a counter reversed by a while loop, block length doubled each stage,
 * six loops, 18 accesses of two arrays.
 * Sizes: 16 */
enum { POINTS = 16 };

static void swap(float *a, float *b)
{
    float t = *a;
    *a = *b;
    *b = t;
}

void fft(float re[POINTS], float im[POINTS], const float wr[POINTS / 2], const float wi[POINTS / 2])
{
    for (int i = 0, j = 0; i < POINTS; i++) {
        if (i < j) {
            swap(&re[i], &re[j]);
            swap(&im[i], &im[j]);
        }
        int bit = POINTS >> 1;
        while (bit >= 1 && (j & bit)) {
            j ^= bit;
            bit >>= 1;
        }
        j |= bit;
    }
    for (int length = 2; length <= POINTS; length *= 2) {
        int half = length / 2, step = POINTS / length;
        for (int start = 0; start < POINTS; start += length)
            for (int k = 0; k < half; k++) {
                int a = start + k, b = a + half;
                float c = wr[k * step], s = wi[k * step];
                float xr = re[b] * c - im[b] * s;
                float xi = re[b] * s + im[b] * c;
                re[b] = re[a] - xr;
                im[b] = im[a] - xi;
                re[a] += xr;
                im[a] += xi;
            }
    }
}
