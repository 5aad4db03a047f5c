/* Greatest common divisor of two positive numbers by subtraction.
 * Special: no memory; two values go round, and a comparison decides which of them loses the other.
 * Sizes: 20 1000 */
int gcdsub(int a, int b)
{
    while (a != b) {
        if (a > b)
            a -= b;
        else
            b -= a;
    }
    return a;
}
