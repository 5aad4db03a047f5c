// A queue of bytes between what comes in and what goes out at half of the rate; returns what found no place.
// Special: an object on the stack with an array and numbers of other sizes, references to it, early return in a member.
// Sizes: 0 1 8 40
#include <cstdint>

namespace {
template <unsigned Size>
class Queue {
    std::uint8_t cells[Size];
    unsigned head = 0, tail = 0;

public:
    unsigned dropped = 0;

    void put(std::uint8_t c)
    {
        unsigned next = head + 1 == Size ? 0 : head + 1;
        if (next == tail) {
            dropped++;
            return;
        }
        cells[head] = c;
        head = next;
    }
    int get()
    {
        if (tail == head)
            return -1;
        std::uint8_t c = cells[tail];
        tail = tail + 1 == Size ? 0 : tail + 1;
        return c;
    }
};
}

unsigned events(const std::uint8_t *in, std::uint8_t *out, int n)
{
    Queue<6> queue;
    int sent = 0;
    for (int i = 0; i < n; i++) {
        queue.put(in[i]);
        if (i % 2 == 0)
            continue;
        if (int c = queue.get(); c >= 0)
            out[sent++] = static_cast<std::uint8_t>(c);
    }
    return queue.dropped;
}
