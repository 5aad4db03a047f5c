/* An echo by a delay line whose length is no power of two.
 * Special: a position that a remainder wraps, carried from iteration to iteration, in an array of the program.
 * Sizes: 0 1 20 */
#define LENGTH 12

void delay_line(const int *restrict x, int *restrict y, int n)
{
    static int line[LENGTH];
    int at = 0;
    for (int i = 0; i < n; i++) {
        int out = x[i] + (line[at] >> 1);
        line[at] = out;
        y[i] = out;
        at = (at + 1) % LENGTH;
    }
}
