// Mean and variance in one pass, and the extreme values, through references.
// Special: results by reference, loop over a pointer range, template for the minimum.
// Sizes: 1 8
template <class T>
static inline const T &least(const T &a, const T &b) { return b < a ? b : a; }
template <class T>
static inline const T &most(const T &a, const T &b) { return a < b ? b : a; }

void statistics(const float *begin, unsigned n, float &mean, float &variance, float &low, float &high)
{
    float m = 0, s = 0, count = 0;
    low = high = n ? *begin : 0.0f;
    for (const float *p = begin; p != begin + n; ++p) {
        count += 1;
        float delta = *p - m;
        m += delta / count;
        s += delta * (*p - m);
        low = least(low, *p);
        high = most(high, *p);
    }
    mean = m;
    variance = n > 1 ? s / (count - 1) : 0;
}
