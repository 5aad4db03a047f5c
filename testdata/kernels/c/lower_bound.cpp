// First position in a sorted array whose element is not less than a key.
// Special: half-open interval of pointers, a comparison object as template argument.
// Sizes: none
struct Less {
    template <class A, class B>
    bool operator()(const A &a, const B &b) const { return a < b; }
};

template <class T, class Before>
static const T *search(const T *first, const T *last, const T &key, Before before)
{
    auto count = last - first;
    while (count > 0) {
        auto half = count >> 1;
        const T *mid = first + half;
        if (before(*mid, key)) {
            first = mid + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

int lower_bound(const short *a, int n, short key)
{
    return static_cast<int>(search(a, a + n, key, Less{}) - a);
}
