/* Sieve of Eratosthenes; returns how many primes are below n.
 * Special: bound i * i, inner step by the outer counter, bool array.
 * Sizes: 0 1 8 40 */
#include <stdbool.h>

int sieve(bool *composite, int n)
{
    int primes = 0;
    for (int i = 0; i < n; i++)
        composite[i] = i < 2;
    for (int i = 2; i * i < n; i++)
        if (!composite[i])
            for (int j = i * i; j < n; j += i)
                composite[j] = true;
    for (int i = 0; i < n; i++)
        primes += !composite[i];
    return primes;
}
