// Multiplies complex numbers element by element and sums up the squares of their sizes.
// Special: array of a struct template, operators as free functions on references.
// Sizes: 0 1 8
template <typename T>
struct Complex {
    T re, im;
};

template <typename T>
constexpr Complex<T> operator*(const Complex<T> &a, const Complex<T> &b)
{
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

template <typename T>
constexpr T norm(const Complex<T> &a)
{
    return a.re * a.re + a.im * a.im;
}

double complex_mul(const Complex<double> *a, const Complex<double> *b, Complex<double> *out, unsigned n)
{
    double sum = 0;
    for (unsigned i = 0; i < n; ++i) {
        out[i] = a[i] * b[i];
        sum += norm(out[i]);
    }
    return sum;
}
