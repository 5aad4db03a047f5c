/* Square root by Newton's iteration until it no longer changes, at most 30 steps.
 * Special: loop that ends by a comparison of doubles, break, elements below zero are skipped.
 * Sizes: 0 1 8 */
#include <math.h>

void newton_sqrt(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        if (!(x[i] > 0.0))
            continue;
        double guess = x[i] > 1.0 ? x[i] : 1.0;
        for (int step = 0; step < 30; step++) {
            double next = 0.5 * (guess + x[i] / guess);
            if (fabs(next - guess) < 1e-12 * guess)
                break;
            guess = next;
        }
        y[i] = guess;
    }
}
