/* y += alpha x with steps, as BLAS has it: a negative step starts at the far end.
 * Special: two inductions beside the counter, their starts chosen by a condition.
 * Sizes: none */
void axpy_stride(int n, int alpha, const int *restrict x, int incx, int *restrict y, int incy)
{
    if (n <= 0 || alpha == 0)
        return;
    int ix = incx < 0 ? (1 - n) * incx : 0;
    int iy = incy < 0 ? (1 - n) * incy : 0;
    for (int i = 0; i < n; i++, ix += incx, iy += incy)
        y[iy] += alpha * x[ix];
}
