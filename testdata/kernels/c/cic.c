/* Cascaded integrator-comb filter: three stages, decimation by two.
 * Special: state arrays that live in the function, inner loops of three, output every other sample.
 * Sizes: 0 1 8 17 */
#define STAGES 3

int cic(const int *in, int n, int *out)
{
    unsigned integ[STAGES] = {0}, comb[STAGES] = {0};
    int made = 0;
    for (int i = 0; i < n; i++) {
        unsigned v = (unsigned)in[i];
        for (int s = 0; s < STAGES; s++)
            v = integ[s] += v;
        if (i & 1) {
            for (int s = 0; s < STAGES; s++) {
                unsigned old = comb[s];
                comb[s] = v;
                v -= old;
            }
            out[made++] = (int)v;
        }
    }
    return made;
}
