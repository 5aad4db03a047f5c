/* Counting sort by the low four bits, stable.
 * Special: histogram in a local array, its sums, and a last loop that counts down to zero.
 * Sizes: 0 1 8 */
void counting_sort(const unsigned char *in, unsigned char *out, int n)
{
    int end[16] = {0};
    for (int i = 0; i < n; i++)
        end[in[i] & 15]++;
    for (int k = 1; k < 16; k++)
        end[k] += end[k - 1];
    for (int i = n - 1; i >= 0; i--)
        out[--end[in[i] & 15]] = in[i];
}
