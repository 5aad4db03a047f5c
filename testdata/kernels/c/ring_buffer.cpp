// Delays samples by a ring buffer and adds them to the input.
// Special: a class template with an array as member, wrap-around by a mask, objects on the stack.
// Sizes: 0 1 8 20
template <typename T, unsigned Size>
class Ring {
    static_assert((Size & (Size - 1)) == 0, "a power of two");
    T cells[Size] = {};
    unsigned at = 0;

public:
    T push(T in)
    {
        T &cell = cells[at++ & (Size - 1)];
        T out = cell;
        cell = in;
        return out;
    }
};

void ring_buffer(const int *in, int *out, int n)
{
    Ring<int, 4> delay;
    for (int i = 0; i < n; ++i)
        out[i] = in[i] + delay.push(in[i]) / 2;
}
