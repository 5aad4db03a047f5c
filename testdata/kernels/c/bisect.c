/* Root of x^3 - x - c in [0, 8] by bisection.
 * Special: no memory but one result through a pointer, a loop on the width of an interval.
 * Sizes: 1 8 */
static inline double cubic(double x, double c)
{
    return (x * x - 1.0) * x - c;
}

double bisect(double c, int *steps)
{
    double low = 0.0, high = 8.0;
    int k = 0;
    for (; high - low > 1e-6; k++) {
        double mid = (low + high) / 2;
        if (cubic(mid, c) < 0.0)
            low = mid;
        else
            high = mid;
    }
    *steps = k;
    return low;
}
