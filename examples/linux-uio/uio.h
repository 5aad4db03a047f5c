/* The platform under Linux: a UIO device for registers and interrupt, and a buffer that is
 * contiguous on the bus, such as that of the driver u-dma-buf.
 */
#ifndef UIO_H
#define UIO_H

#include <stddef.h>
#include <stdint.h>

#include "loom_accel.h"

typedef struct uio_platform {
    int device;             /* of the registers */
    volatile void *registers;
    unsigned char *buffer;  /* mapped, */
    size_t buffer_bytes;
    size_t buffer_used;
    uint64_t physical;      /* and its address on the bus */
    loom_accel_hooks hooks; /* for loom_accel_open */
} uio_platform;

/* Opens the devices: the UIO device, the buffer's device and the file with its physical
 * address. Returns 0, or -1 with errno set. */
int uio_open(uio_platform *p, const char *uio, const char *buffer, const char *physical_address);

/* Takes bytes of the buffer, null where too few are left. */
void *uio_alloc(uio_platform *p, size_t bytes);

void uio_close(uio_platform *p);

#endif /* UIO_H */
