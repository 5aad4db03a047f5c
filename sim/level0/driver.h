/* The part of the harness that is the same for every function. It stands before the
 * source under test, so that no macro of that source touches it, and declares nothing
 * of the C library: every name begins with loom0_, and the system is called by number,
 * so that a source may define functions named read or write, and any feature-test
 * macro for the headers it includes.
 *
 * The arguments come through file 3 and everything goes back through file 4, in the byte
 * order of this machine: an array as its length and its bytes, any other object as its bytes.
 * In the results the distances of the nearest bytes that were changed before and behind
 * an array stand in front of it.
 */
#include <asm/unistd.h>

#ifdef __cplusplus
extern "C" {
#endif
extern long loom0_system(long, ...) __asm__("syscall");
#ifdef LOOM0_ADDRESSES
extern void loom0_poison(const volatile void *, unsigned long) __asm__("__asan_poison_memory_region");
#endif
#ifdef __cplusplus
}
#endif

/* Bytes that guard either side of a buffer. */
#define LOOM0_GUARD 16384ul
#define LOOM0_GUARD_BYTE(i) ((unsigned char)(0xa5 ^ ((i) * 29)))

struct loom0_buffer {
  unsigned char *bytes;
  unsigned long length;
};

__attribute__((no_sanitize_address)) static void loom0_end(int code) { loom0_system(__NR_exit_group, code); }

static void loom0_move(int file, unsigned char *bytes, unsigned long n) {
  while (n > 0) {
    long k = loom0_system(file == 3 ? __NR_read : __NR_write, (long)file, bytes, n);
    if (k <= 0)
      loom0_end(97); /* the other side has gone */
    bytes += k;
    n -= (unsigned long)k;
  }
}

static void loom0_read(void *bytes, unsigned long n) { loom0_move(3, (unsigned char *)bytes, n); }
static void loom0_write(const void *bytes, unsigned long n) { loom0_move(4, (unsigned char *)bytes, n); }

/* loom0_limits bounds what the function may use: seconds of the processor and bytes of
 * memory, 0 for no bound. The stack may grow further than usual: local arrays live
 * there. */
static void loom0_limits(unsigned long seconds, unsigned long bytes) {
  unsigned long limit[2], old[2];
  if (seconds) {
    limit[0] = seconds, limit[1] = seconds + 1;
    loom0_system(__NR_prlimit64, 0l, 0l, limit, (void *)0);
  }
  limit[0] = limit[1] = 0; /* no core files */
  loom0_system(__NR_prlimit64, 0l, 4l, limit, (void *)0);
  if (loom0_system(__NR_prlimit64, 0l, 3l, (void *)0, old) == 0) {
    limit[0] = 120ul << 20, limit[1] = old[1];
    if (limit[0] > old[0] && limit[0] <= old[1])
      loom0_system(__NR_prlimit64, 0l, 3l, limit, (void *)0);
  }
  if (bytes) {
    limit[0] = limit[1] = bytes;
    loom0_system(__NR_prlimit64, 0l, 9l, limit, (void *)0);
  }
}

/* loom0_take makes a buffer of the next bytes. Where addresses are watched, the guards
 * cannot be touched at all; else their bytes are compared afterwards. */
static struct loom0_buffer loom0_take(void) {
  struct loom0_buffer b;
  unsigned long i, all;
  unsigned char *at;
  loom0_read(&b.length, sizeof b.length);
  all = b.length + 2 * LOOM0_GUARD;
  at = (unsigned char *)loom0_system(__NR_mmap, (void *)0, all, 3l, 0x22l, -1l, 0l);
  if (at == (unsigned char *)-1l)
    loom0_end(98);
  b.bytes = at + LOOM0_GUARD;
  loom0_read(b.bytes, b.length);
#ifdef LOOM0_ADDRESSES
  loom0_poison(at, LOOM0_GUARD);
  loom0_poison(b.bytes + b.length, LOOM0_GUARD);
  (void)i;
#else
  for (i = 0; i < LOOM0_GUARD; i++) {
    at[i] = LOOM0_GUARD_BYTE(i);
    b.bytes[b.length + i] = LOOM0_GUARD_BYTE(i);
  }
#endif
  return b;
}

/* loom0_give sends a buffer back. */
static void loom0_give(struct loom0_buffer b) {
  unsigned long i, before = 0, behind = 0;
#ifndef LOOM0_ADDRESSES
  for (i = 0; i < LOOM0_GUARD && !before; i++)
    if (b.bytes[-1 - (long)i] != LOOM0_GUARD_BYTE(LOOM0_GUARD - 1 - i))
      before = i + 1;
  for (i = 0; i < LOOM0_GUARD && !behind; i++)
    if (b.bytes[b.length + i] != LOOM0_GUARD_BYTE(i))
      behind = i + 1;
#else
  (void)i;
#endif
  loom0_write(&before, sizeof before);
  loom0_write(&behind, sizeof behind);
  loom0_write(b.bytes, b.length);
}

#define main loom_user_main
