#define _POSIX_C_SOURCE 200809L
#include "uio.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define REGISTER_BYTES 4096u

/* How long the wait for an interrupt may take, in milliseconds. */
#define INTERRUPT_LIMIT 1000

/* The fabric reaches the buffer and nothing else. */
static int bus_address(void *context, const void *data, size_t bytes, uint64_t *address)
{
    const uio_platform *p = (const uio_platform *)context;
    uintptr_t at = (uintptr_t)data, from = (uintptr_t)p->buffer;

    if (at < from || at - from > p->buffer_bytes || bytes > p->buffer_bytes - (at - from))
        return -1;
    *address = p->physical + (at - from);
    return 0;
}

/* Sleeps until the interrupt. The first look at the status is often early enough. */
static int wait_interrupt(void *context, uint32_t looks)
{
    const uio_platform *p = (const uio_platform *)context;
    struct pollfd event;
    uint32_t word = 1; /* enables the interrupt, which UIO disables when it comes */

    if (looks < 3u)
        return 0;
    if (write(p->device, &word, sizeof word) != (ssize_t)sizeof word)
        return -1;
    event.fd = p->device;
    event.events = POLLIN;
    event.revents = 0;
    if (poll(&event, 1, INTERRUPT_LIMIT) <= 0)
        return -1;
    return read(p->device, &word, sizeof word) < 0 ? -1 : 0; /* the number of interrupts */
}

int uio_open(uio_platform *p, const char *uio, const char *buffer, const char *physical_address)
{
    /* The buffer is mapped without caches (O_SYNC, as u-dma-buf wants it), or the bus is
     * coherent; a platform with neither needs the hooks flush and invalidate. */
    static const loom_accel_hooks hooks = {NULL, NULL, NULL, NULL, bus_address, wait_interrupt, 1};
    FILE *f;
    off_t size;
    void *map;
    int fd;

    p->hooks = hooks;
    p->hooks.context = p;
    p->buffer_used = 0;
    p->device = open(uio, O_RDWR);
    if (p->device < 0)
        return -1;
    map = mmap(NULL, REGISTER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, p->device, 0);
    if (map == MAP_FAILED)
        return -1;
    p->registers = map;
    fd = open(buffer, O_RDWR | O_SYNC);
    if (fd < 0)
        return -1;
    size = lseek(fd, 0, SEEK_END);
    if (size <= 0)
        return -1;
    p->buffer_bytes = (size_t)size;
    map = mmap(NULL, p->buffer_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map == MAP_FAILED)
        return -1;
    p->buffer = (unsigned char *)map;
    f = fopen(physical_address, "r");
    if (f == NULL)
        return -1;
    if (fscanf(f, "%" SCNx64, &p->physical) != 1) {
        fclose(f);
        errno = EINVAL;
        return -1;
    }
    fclose(f);
    return 0;
}

void *uio_alloc(uio_platform *p, size_t bytes)
{
    size_t at = (p->buffer_used + 63u) / 64u * 64u;

    if (at > p->buffer_bytes || bytes > p->buffer_bytes - at)
        return NULL;
    p->buffer_used = at + bytes;
    return p->buffer + at;
}

void uio_close(uio_platform *p)
{
    munmap(p->buffer, p->buffer_bytes);
    munmap((void *)(uintptr_t)p->registers, REGISTER_BYTES);
    close(p->device);
}
