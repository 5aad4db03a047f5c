// Adds sounds with saturation.
// Special: limits as constexpr templates of the element type, signed and unsigned in one kernel.
// Sizes: 0 1 8
namespace limits {
template <typename T> constexpr int high = 0;
template <> constexpr int high<signed char> = 127;
template <> constexpr int high<unsigned char> = 255;
template <typename T> constexpr int low = -high<T> - 1;
template <> constexpr int low<unsigned char> = 0;
} // namespace limits

template <typename T>
static constexpr T saturated(int v)
{
    return static_cast<T>(v > limits::high<T> ? limits::high<T> : v < limits::low<T> ? limits::low<T> : v);
}

void saturate(signed char *a, const signed char *b, unsigned char *u, const unsigned char *w, int n)
{
    for (int i = 0; i < n; ++i) {
        a[i] = saturated<signed char>(a[i] + b[i]);
        u[i] = saturated<unsigned char>(u[i] + w[i]);
    }
}
