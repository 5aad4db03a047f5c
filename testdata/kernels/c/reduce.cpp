// Several reductions of one array by the same template.
// Special: lambdas with and without captures, result chosen by an enum class.
// Sizes: 0 1 8
enum class Kind : unsigned char { Sum, Product, Above, Parity };

template <class T, class F>
static T fold(const T *x, int n, T start, F f)
{
    for (int i = 0; i < n; ++i)
        start = f(start, x[i]);
    return start;
}

unsigned reduce(const unsigned *x, int n, int kind, unsigned limit)
{
    switch (static_cast<Kind>(kind & 3)) {
    case Kind::Sum:
        return fold(x, n, 0u, [](unsigned a, unsigned b) { return a + b; });
    case Kind::Product:
        return fold(x, n, 1u, [](unsigned a, unsigned b) { return a * (b | 1); });
    case Kind::Above:
        return fold(x, n, 0u, [limit](unsigned a, unsigned b) { return a + (b > limit); });
    default:
        return fold(x, n, 0u, [](unsigned a, unsigned b) { return a ^ (b & 1); });
    }
}
