// Marks the remainders of numbers and counts how many there are.
// Special: a small class around an array of 64-bit words, shifts by variable amounts.
// Sizes: 0 1 8
#include <cstddef>
#include <cstdint>

template <std::size_t Bits>
class BitSet {
    std::uint64_t word[(Bits + 63) / 64] = {};

public:
    bool set(std::size_t i)
    {
        std::uint64_t bit = std::uint64_t{1} << (i % 64);
        bool fresh = !(word[i / 64] & bit);
        word[i / 64] |= bit;
        return fresh;
    }
};

std::size_t bitset(const std::uint32_t *x, std::size_t n)
{
    BitSet<128> seen;
    std::size_t distinct = 0;
    for (std::size_t i = 0; i != n; ++i)
        distinct += seen.set(x[i] * 2654435761u >> 25);
    return distinct;
}
