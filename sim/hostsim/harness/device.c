/* The device of a program under loom host-sim --model cycle: register accesses go to the simulator, which asks
 * for the program's memory meanwhile. Numbers have 8 bytes in the order of this machine.
 *
 *   here:  'r' offset | 'w' offset value | 'p' cycles | 'i' | 'c' | 'e', at the end
 *   there: 'V' value, the answer | 'R' address bytes | 'C' address bytes | 'W' address bytes data | 'X', which ends
 *          the program
 *   here:  to 'R' 1 and the data or 0, to 'C' whether the memory can be written
 *
 * LOOM_SIM_DMA has lines "ADDRESS FILE": the memory is these files, mapped, each from its address on.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loom_sim.h"

/* The pipes, which loom opens: from and to the simulator. */
enum { FROM = 3, TO = 4 };

uint32_t loom_accel_read(uintptr_t base, uint32_t offset);
void loom_accel_write(uintptr_t base, uint32_t offset, uint32_t value);

struct range {
    uint64_t from, to;
    int read, write;
    unsigned char *at; /* of a file; of the program's own memory the address */
};

static struct range *ranges;
static size_t count;
static int files;

static void die(const char *what, const char *name)
{
    fprintf(stderr, "host-sim: %s%s\n", what, name);
    _exit(2);
}

static void put(const void *data, size_t bytes)
{
    const unsigned char *p = (const unsigned char *)data;

    while (bytes > 0) {
        ssize_t n = write(TO, p, bytes);
        if (n < 0 && errno != EINTR)
            die("the simulator has ended; this program runs under loom host-sim", "");
        if (n > 0)
            p += n, bytes -= (size_t)n;
    }
}

static void get(void *data, size_t bytes)
{
    unsigned char *p = (unsigned char *)data;

    while (bytes > 0) {
        ssize_t n = read(FROM, p, bytes);
        if (n == 0 || (n < 0 && errno != EINTR))
            die("the simulator has ended; this program runs under loom host-sim", "");
        if (n > 0)
            p += n, bytes -= (size_t)n;
    }
}

static void add(struct range r)
{
    ranges = (struct range *)realloc(ranges, (count + 1) * sizeof *ranges);
    if (ranges == NULL)
        die("out of memory", "");
    ranges[count++] = r;
}

/* Lists what this process may access. */
static void look(void)
{
    FILE *f = fopen("/proc/self/maps", "r");
    char line[1024], perms[8];
    struct range r;

    if (f == NULL)
        die("cannot read /proc/self/maps", "");
    count = 0;
    while (fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &r.from, &r.to, perms) == 3) {
            r.read = perms[0] == 'r';
            r.write = perms[1] == 'w';
            r.at = (unsigned char *)(uintptr_t)r.from;
            add(r);
        }
    fclose(f);
}

static unsigned char *listed(uint64_t address, uint64_t bytes, int write)
{
    size_t i;

    for (i = 0; i < count; i++)
        if (address >= ranges[i].from && address < ranges[i].to && ranges[i].to - address >= bytes)
            return (write ? ranges[i].write : ranges[i].read) ? ranges[i].at + (address - ranges[i].from) : NULL;
    return NULL;
}

static unsigned char *find(uint64_t address, uint64_t bytes, int write)
{
    unsigned char *p = listed(address, bytes, write);

    if (p == NULL && !files) {
        look();
        p = listed(address, bytes, write);
    }
    return p;
}

/* Maps a file as memory from an address on. */
static void map(uint64_t from, const char *path)
{
    struct stat st;
    struct range r;
    int fd = open(path, O_RDWR);
    void *p;

    if (fd < 0 || fstat(fd, &st) != 0 || st.st_size == 0)
        die("no memory in ", path);
    p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (p == MAP_FAILED)
        die("cannot map ", path);
    r.from = from;
    r.to = from + (uint64_t)st.st_size;
    r.read = r.write = files = 1;
    r.at = (unsigned char *)p;
    add(r);
}

static uint64_t ask(char what, uint64_t a, uint64_t b);

static void end(void)
{
    ask('e', 0, 0);
}

static void begin(void)
{
    static int begun;
    const char *dma = getenv("LOOM_SIM_DMA");
    char *list, *line, *rest, *path;

    if (begun)
        return;
    begun = 1;
    if (dma != NULL) {
        list = strdup(dma);
        for (line = strtok_r(list, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
            uint64_t from = strtoull(line, &path, 0);
            map(from, path + 1);
        }
        free(list);
    }
    atexit(end);
}

/* Asks the simulator for something and serves it until the answer. */
static uint64_t ask(char what, uint64_t a, uint64_t b)
{
    uint64_t words[2];
    unsigned char message[17], *p;
    char kind;

    begin();
    message[0] = (unsigned char)what;
    memcpy(message + 1, &a, 8);
    memcpy(message + 9, &b, 8);
    put(message, sizeof message);
    for (;;) {
        get(&kind, 1);
        if (kind == 'X') {
            fflush(NULL);
            _exit(70);
        }
        get(words, kind == 'V' ? 8 : 16);
        if (kind == 'V')
            return words[0];
        p = find(words[0], words[1], kind != 'R');
        if (kind == 'W') {
            unsigned char scrap[8];
            get(p != NULL ? p : scrap, words[1]);
            continue;
        }
        message[0] = p != NULL;
        if (p != NULL && kind == 'R')
            memcpy(message + 1, p, words[1]);
        put(message, p != NULL && kind == 'R' ? 1 + words[1] : 1);
    }
}

uint32_t loom_accel_read(uintptr_t base, uint32_t offset)
{
    (void)base;
    return (uint32_t)ask('r', offset, 0);
}

void loom_accel_write(uintptr_t base, uint32_t offset, uint32_t value)
{
    (void)base;
    ask('w', offset, value);
}

void loom_sim_pass(uint64_t cycles) { ask('p', cycles, 0); }
uint64_t loom_sim_cycles(void) { return ask('c', 0, 0); }
int loom_sim_interrupt(void) { return (int)ask('i', 0, 0); }
