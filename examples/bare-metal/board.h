/* What the firmware needs of its board. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

/* Address of the fabric's register file, in bytes. */
#define BOARD_FABRIC ((uintptr_t)0x43c00000u)

/* Sends a character to the console. */
void board_put(char c);

/* Cleans an array from the data cache, or drops it there. */
void board_cache_clean(const void *data, size_t bytes);
void board_cache_drop(const void *data, size_t bytes);

/* Sleeps until an interrupt is pending. */
void board_sleep(void);

int main(void);

#endif /* BOARD_H */
