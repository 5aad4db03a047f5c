/* Integral of x exp(-x) sqrt(x) by Simpson's rule.
 * Special: a helper with library functions, int converted to double, factors by parity.
 * Sizes: 0 1 8 */
#include <math.h>

static double f(double x)
{
    return x * exp(-x) * sqrt(x);
}

double simpson(double to, int steps)
{
    double width = to < 0.0 ? -to : to;
    steps += 2 + (steps & 1);
    double h = width / steps, sum = f(0.0) + f(width);
    for (int i = 1; i < steps; i++)
        sum += (i % 2 ? 4.0 : 2.0) * f(i * h);
    return sum * h / 3.0;
}
