/* The board of the simulation: the console is standard output, caches are checked for use,
 * and sleeping lets the hardware's clock run until its interrupt. */
#include <stdio.h>

#include "board.h"
#include "loom_sim.h"

static unsigned cleaned, dropped, slept;

void board_put(char c)
{
    putchar(c);
    if (c == '\n')
        printf("(board: %u arrays cleaned, %u dropped, %s)\n", cleaned, dropped, slept > 0 ? "slept" : "never slept");
}

void board_cache_clean(const void *data, size_t bytes)
{
    (void)data;
    (void)bytes;
    cleaned++;
}

void board_cache_drop(const void *data, size_t bytes)
{
    (void)data;
    (void)bytes;
    dropped++;
}

void board_sleep(void)
{
    slept++;
    while (!loom_sim_interrupt())
        loom_sim_pass(1);
}
