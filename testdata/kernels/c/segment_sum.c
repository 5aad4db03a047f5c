/* Sum, smallest and largest number of segments given by a struct of bounds.
 * Special: struct of two ints by value (in one register), 64-bit sum, results in a struct array.
 * Sizes: 0 1 8 */
struct range {
    int first, last;
};

struct summary {
    int low, high;
    long long sum;
};

int segment_sum(const int *x, int n, struct range r, struct summary *out)
{
    if (r.last > n)
        r.last = n;
    if (r.first >= r.last)
        return 0;
    struct summary s = {x[r.first], x[r.first], 0};
    for (int i = r.first; i < r.last; i++) {
        s.low = x[i] < s.low ? x[i] : s.low;
        s.high = x[i] > s.high ? x[i] : s.high;
        s.sum += x[i];
    }
    *out = s;
    return r.last - r.first;
}
