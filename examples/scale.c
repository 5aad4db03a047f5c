/* The kernel of the examples: y[i] = a * x[i]. */
void scale(int n, int a, const int *restrict x, int *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = a * x[i];
}
