/* Sparse matrix (compressed rows) times vector, double.
 * Special: loop bounds and subscripts come from memory.
 * Sizes: none */
void spmv(int rows, const int *start, const int *column, const double *value, const double *x, double *y)
{
    for (int r = 0; r < rows; r++) {
        double sum = 0.0;
        for (int k = start[r]; k < start[r + 1]; k++)
            sum += value[k] * x[column[k]];
        y[r] = sum;
    }
}
