/* A board: start-up code, console, caches. The addresses are those of an imagined board with
 * a 16550 console and a cache controller that takes addresses. */
#include "board.h"

#define CONSOLE_DATA ((volatile uint8_t *)0x10000000u)
#define CONSOLE_STATUS ((volatile uint8_t *)0x10000005u)
#define CACHE_CLEAN ((volatile uintptr_t *)0x02010200u)
#define CACHE_DROP ((volatile uintptr_t *)0x02010208u)
#define CACHE_LINE 64u

void board_put(char c)
{
    while ((*CONSOLE_STATUS & 0x20u) == 0u)
        continue;
    *CONSOLE_DATA = (uint8_t)c;
}

static void lines(volatile uintptr_t *command, const void *data, size_t bytes)
{
    uintptr_t at = (uintptr_t)data & ~(uintptr_t)(CACHE_LINE - 1u);

    for (; at < (uintptr_t)data + bytes; at += CACHE_LINE)
        *command = at;
}

void board_cache_clean(const void *data, size_t bytes)
{
    lines(CACHE_CLEAN, data, bytes);
}

void board_cache_drop(const void *data, size_t bytes)
{
    lines(CACHE_DROP, data, bytes);
}

void board_sleep(void)
{
#if defined(__riscv) || defined(__arm__) || defined(__aarch64__)
    __asm__ volatile("wfi");
#endif
}

/* Compilers may call these whatever the program does. */
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);

void *memcpy(void *to, const void *from, size_t n)
{
    volatile unsigned char *t = (volatile unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    size_t i;

    for (i = 0; i < n; i++)
        t[i] = f[i];
    return to;
}

void *memset(void *to, int value, size_t n)
{
    volatile unsigned char *t = (volatile unsigned char *)to;
    size_t i;

    for (i = 0; i < n; i++)
        t[i] = (unsigned char)value;
    return to;
}

/* The loader has set the stack and cleared .bss. */
void reset_handler(void);

void reset_handler(void)
{
    (void)main();
    for (;;)
        board_sleep();
}
