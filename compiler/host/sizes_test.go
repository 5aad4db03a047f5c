package host

import (
	"testing"

	"loom/internal/tools/toolstest"
)

// sizeProgram gives arrays to the driver and prints the number of the first rule that does not
// hold, 0 for none. Arrays 0 and 2 have a size register, array 1 has none.
const sizeProgram = `
#include "loom_accel.h"
#include <stdio.h>
static uint32_t base[8], size[8];
static int stray, writes;
uint32_t loom_accel_read(uintptr_t b, uint32_t offset) {
  (void)b;
  switch (offset) {
  case LOOM_REG_MAGIC: return LOOM_ACCEL_MAGIC;
  case LOOM_REG_VERSION: return LOOM_ACCEL_VERSION;
  case LOOM_REG_PORTS: return 0x20003;
  case LOOM_REG_BASE_COUNT: return 3;
  case LOOM_REG_STATUS: return LOOM_STATUS_IDLE | LOOM_STATUS_CONFIGURED;
  }
  return 0;
}
void loom_accel_write(uintptr_t b, uint32_t offset, uint32_t value) {
  (void)b;
  if (offset >= LOOM_REG_BASE && offset < LOOM_REG_BASE + 24u) base[(offset - LOOM_REG_BASE) / 4u] = value;
  else if (offset >= LOOM_REG_SIZE && offset < LOOM_REG_SIZE + 24u) { size[(offset - LOOM_REG_SIZE) / 4u] = value; writes++; }
  else if (offset >= 0x200u) stray++;
}
static const unsigned char lut[70] = {1};
static char room[64];
static size_t flushed;
static void flush(void *c, const void *data, size_t bytes) { (void)c; if (data == room) flushed = bytes; }
static int address(void *c, const void *data, size_t bytes, uint64_t *bus) { (void)c, (void)data; *bus = bytes; return 0; }
static size_t size_of(void *c, const void *data) { return c == &flushed && data == room ? sizeof room : 0u; }
static int is(int k, uint32_t high, uint32_t low) { return size[2 * k] == low && size[2 * k + 1] == high; }
static const uint32_t bases[] = {LOOM_ACCEL_SIZED | 2, 1, LOOM_ACCEL_SIZED | 0}, beyond[] = {LOOM_ACCEL_SIZED | 3}, words[1] = {1};
static const loom_accel_image one = {0, words, 1, 3, bases, 0, 0, NULL}, wrong = {0, words, 1, 1, beyond, 0, 0, NULL};
#define RULE(n, x) do { if (!(x)) { printf("%d\n", n); return 0; } } while (0)
int main(void) {
  static loom_accel dev;
  loom_accel_hooks hooks = {NULL, NULL, flush, NULL, address, NULL, 0};
  RULE(1, loom_accel_open(&dev, 0, &hooks) == LOOM_ACCEL_OK);
  RULE(2, loom_accel_load(&dev, &wrong) == LOOM_ACCEL_BAD_ARGUMENT && loom_accel_load(&dev, &one) == LOOM_ACCEL_OK);
  RULE(3, loom_accel_set_array(&dev, 0, room, 40) == LOOM_ACCEL_OK && is(2, 0, 40) && base[4] == 40);
  RULE(4, loom_accel_set_array(&dev, 1, room, 40) == LOOM_ACCEL_OK && is(1, 0, 0) && base[2] == 40 && writes == 2);
  RULE(5, loom_accel_set_table(&dev, 2, lut, sizeof lut) == LOOM_ACCEL_OK && is(0, 0, 70) && base[0] == 70);
  /* Without a size there is no limit, nor is that of the array before kept. */
  RULE(6, loom_accel_set_array(&dev, 0, room, 0) == LOOM_ACCEL_OK && is(2, 0xffffffffu, 0xffffffffu) && base[4] == 0);
  RULE(7, loom_accel_set_array(&dev, 0, room, 8) == LOOM_ACCEL_OK && is(2, 0, 8));
  RULE(8, loom_accel_set_base(&dev, 0, 0x1234) == LOOM_ACCEL_OK && is(2, 0xffffffffu, 0xffffffffu) && base[4] == 0x1234);
#if SIZE_MAX > 0xffffffffu
  RULE(9, loom_accel_set_array(&dev, 2, room, (size_t)0x500000007u) == LOOM_ACCEL_OK && is(0, 5, 7));
#endif
  /* The program knows what the types do not tell; hooks hear it. */
  loom_accel_set_size_of(&dev, size_of, &flushed);
  RULE(10, loom_accel_set_array(&dev, 0, room, 0) == LOOM_ACCEL_OK && is(2, 0, 64) && base[4] == 64);
  RULE(11, loom_accel_set_array(&dev, 2, lut, 0) == LOOM_ACCEL_OK && is(0, 0xffffffffu, 0xffffffffu));
  RULE(12, loom_accel_set_array(&dev, 0, room, 12) == LOOM_ACCEL_OK && is(2, 0, 12)); /* a size that is known counts */
  RULE(13, loom_accel_set_array(&dev, 0, room, 0) == LOOM_ACCEL_OK && loom_accel_set_array(&dev, 1, NULL, 0) == LOOM_ACCEL_OK);
  RULE(14, loom_accel_start(&dev) == LOOM_ACCEL_OK && flushed == 64);
  writes = 0;
  RULE(15, loom_accel_set_array(&dev, 0, room, 4) == LOOM_ACCEL_BUSY && writes == 0);
  RULE(16, loom_accel_open(&dev, 0, NULL) == LOOM_ACCEL_OK && loom_accel_load(&dev, &one) == LOOM_ACCEL_OK);
  RULE(17, loom_accel_set_array(&dev, 0, room, 0) == LOOM_ACCEL_OK && is(2, 0xffffffffu, 0xffffffffu));
  RULE(18, stray == 0);
  printf("0\n");
  return 0;
}
`

// TestSizes: the driver writes the size of each array beside its address where there is a register
// for it. Each change of the driver breaks a rule.
func TestSizes(t *testing.T) {
	toolstest.Need(t, "gcc")
	for _, c := range []struct{ from, to string }{
		{"", ""},
		{"    if (dev->image->bases[array] != base)\n", ""},
		{"LOOM_REG_SIZE + 8u * base", "LOOM_REG_SIZE + 8u * array"},
		{"bytes != 0u ? (uint64_t)bytes : ~UINT64_C(0)", "(uint64_t)bytes"},
		{"bytes != 0u ? (uint64_t)bytes : ~UINT64_C(0)", "bytes != 0u ? (uint32_t)bytes : ~UINT64_C(0)"},
		{"    return place(dev, array, bus_address, 0u);", "    return place(dev, array, bus_address, dev->array[array].bytes);"},
		{"    if (bytes == 0u && dev->size_of != NULL)", "    if (dev->size_of != NULL)"},
		{"        bytes = dev->size_of(dev->size_context, data);", "        dev->size_of(dev->size_context, data);"},
		{"    loom_accel_set_size_of(dev, NULL, NULL);", ""},
		{"(image->bases[i] & ~LOOM_ACCEL_SIZED) >= dev->bases", "0"},
	} {
		got, err := driverRule(t, c.from, c.to, sizeProgram)
		if (err == nil && got == "0") != (c.from == "") {
			t.Errorf("%q: rule %s, %v", c.from, got, err)
		}
	}
}
