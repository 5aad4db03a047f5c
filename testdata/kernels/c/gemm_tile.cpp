// Product of two matrices of floats by tiles.
// Special: a function template over type and sizes, constexpr tile, references to arrays.
// Sizes: 8
namespace {

template <typename T, int Rows, int Cols, int Inner>
void multiply(const T (&a)[Rows][Inner], const T (&b)[Inner][Cols], T (&c)[Rows][Cols])
{
    constexpr int tile = 4;
    static_assert(Rows % tile == 0 && Cols % tile == 0, "whole tiles");
    for (int r0 = 0; r0 < Rows; r0 += tile)
        for (int c0 = 0; c0 < Cols; c0 += tile)
            for (int r = r0; r < r0 + tile; ++r)
                for (int k = c0; k < c0 + tile; ++k) {
                    T sum{};
                    for (int i = 0; i < Inner; ++i)
                        sum += a[r][i] * b[i][k];
                    c[r][k] = sum;
                }
}

} // namespace

void gemm_tile(const float (&a)[8][8], const float (&b)[8][8], float (&c)[8][8])
{
    multiply(a, b, c);
}
