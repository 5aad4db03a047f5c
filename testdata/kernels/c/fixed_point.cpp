// Evaluates a line at each point, in Q16.16.
// Special: a class with overloaded operators and a constexpr constructor, user-defined conversion.
// Sizes: 0 1 8
#include <cstdint>

class Fixed {
public:
    constexpr Fixed() : bits(0) {}
    constexpr explicit Fixed(std::int32_t whole) : bits(whole * 65536) {}
    static constexpr Fixed raw(std::int32_t b)
    {
        Fixed f;
        f.bits = b;
        return f;
    }
    constexpr Fixed operator+(Fixed o) const { return raw(bits + o.bits); }
    constexpr Fixed operator*(Fixed o) const
    {
        return raw(static_cast<std::int32_t>((static_cast<std::int64_t>(bits) * o.bits) >> 16));
    }
    Fixed &operator+=(Fixed o) { return *this = *this + o; }
    explicit operator std::int32_t() const { return bits >> 16; }

private:
    std::int32_t bits;
};

std::int32_t fixed_point(const std::int32_t *x, std::int32_t *y, int n, std::int32_t slope)
{
    constexpr Fixed half = Fixed::raw(1 << 15);
    Fixed total;
    for (int i = 0; i < n; ++i) {
        Fixed v = Fixed(x[i]) * Fixed::raw(slope << 12) + half;
        y[i] = static_cast<std::int32_t>(v);
        total += v;
    }
    return static_cast<std::int32_t>(total);
}
