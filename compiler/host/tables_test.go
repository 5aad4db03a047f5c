package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loom/internal/tools/toolstest"
)

// tableProgram drives loom_accel_set_table on a fabric that reaches only the scratch
// memory, and prints the number of the first rule that does not hold, 0 for none.
const tableProgram = `
#include "loom_accel.h"
#include <stdio.h>
static uint32_t base[8];
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
  if (offset >= LOOM_REG_BASE && offset < LOOM_REG_BASE + 32u) base[(offset - LOOM_REG_BASE) / 4u] = value;
}
static unsigned char room[320 + 64];
static unsigned char *memory;
static int address(void *c, const void *data, size_t bytes, uint64_t *bus) {
  const unsigned char *p = (const unsigned char *)data;
  (void)c;
  *bus = 0x1000u + (uint64_t)(p - memory);
  return !(p >= memory && p + bytes <= memory + 320);
}
static const uint32_t bases[] = {2, 0}, words[1] = {1};
static const loom_accel_image one = {0, words, 1, 2, bases, 0, 0, NULL}, two = {0, words, 1, 2, bases, 0, 0, NULL};
static const unsigned char lut[70] = {3, 1, 4, 1, 5}, small[4] = {9};
#define RULE(n, x) do { if (!(x)) { printf("%d\n", n); return 0; } } while (0)
int main(void) {
  static loom_accel dev;
  loom_accel_hooks hooks = {NULL, NULL, NULL, NULL, address, NULL, 0};
  unsigned char *p, *q;
  uint32_t at, i;
  memory = room + (-(uintptr_t)room & 63u);
  RULE(1, loom_accel_open(&dev, 0, &hooks) == LOOM_ACCEL_OK);
  RULE(2, loom_accel_load(&dev, &one) == LOOM_ACCEL_OK);
  RULE(3, loom_accel_set_table(&dev, 0, lut, sizeof lut) == LOOM_ACCEL_NO_MEMORY);
  RULE(4, loom_accel_start(&dev) == LOOM_ACCEL_NO_MEMORY);
  loom_accel_set_scratch(&dev, memory, 320);
  RULE(5, loom_accel_load(&dev, &one) == LOOM_ACCEL_OK);
  RULE(6, loom_accel_set_table(&dev, 0, lut, sizeof lut) == LOOM_ACCEL_OK);
  at = base[4] - 0x1000u; /* register 2 */
  RULE(7, at % 64u == 0 && at + sizeof lut <= 320);
  for (i = 0; i < sizeof lut; i++)
    RULE(8, memory[at + i] == lut[i]);
  base[4] = 0;
  RULE(9, loom_accel_set_table(&dev, 0, lut, sizeof lut) == LOOM_ACCEL_OK && base[4] == at + 0x1000u);
  RULE(26, loom_accel_set_table(&dev, 1, lut, sizeof lut) == LOOM_ACCEL_OK && base[0] == at + 0x1000u); /* one copy for two memories */
  RULE(10, loom_accel_set_table(&dev, 1, small, sizeof small) == LOOM_ACCEL_OK && base[0] - 0x1000u + sizeof small <= at);
  RULE(11, memory[base[0] - 0x1000u] == 9);
  /* What is left is between the front and the copies. */
  p = (unsigned char *)loom_accel_scratch(&dev, 65);
  RULE(12, p == memory);
  RULE(13, loom_accel_scratch(&dev, 64) == NULL);
  loom_accel_release(&dev);
  q = (unsigned char *)loom_accel_scratch(&dev, 128);
  RULE(14, q == memory && loom_accel_scratch(&dev, 1) == NULL);
  RULE(15, loom_accel_set_table(&dev, 0, lut, sizeof lut) == LOOM_ACCEL_OK && base[4] == at + 0x1000u);
  /* An array in its place, then the table again: another copy, for which there is no room. */
  RULE(16, loom_accel_set_array(&dev, 0, memory, 4) == LOOM_ACCEL_OK && base[4] == 0x1000u);
  RULE(17, loom_accel_set_table(&dev, 0, lut, sizeof lut) == LOOM_ACCEL_NO_MEMORY);
  /* Another image gives the copies back. */
  RULE(18, loom_accel_load(&dev, &two) == LOOM_ACCEL_OK && loom_accel_set_table(&dev, 0, lut, sizeof lut) == LOOM_ACCEL_OK && base[4] == at + 0x1000u);
  loom_accel_release(&dev);
  RULE(19, loom_accel_scratch(&dev, 192) != NULL);
  /* So does other scratch memory, without the old copies. */
  loom_accel_set_scratch(&dev, memory, 128);
  RULE(20, loom_accel_set_table(&dev, 0, lut, sizeof lut) == LOOM_ACCEL_OK && base[4] == 0x1000u);
  RULE(21, loom_accel_set_table(&dev, 1, memory + 4, 4) == LOOM_ACCEL_OK && base[0] == 0x1004u);
  RULE(22, loom_accel_set_table(&dev, 2, small, sizeof small) == LOOM_ACCEL_NO_MEMORY);
  /* Room for the bytes, and none for a beginning at a cache line. */
  loom_accel_set_scratch(&dev, memory + 32, 100);
  RULE(25, loom_accel_set_table(&dev, 0, lut, sizeof lut) == LOOM_ACCEL_NO_MEMORY);
  RULE(23, loom_accel_open(&dev, 0, NULL) == LOOM_ACCEL_OK && loom_accel_load(&dev, &one) == LOOM_ACCEL_OK);
  RULE(24, loom_accel_set_table(&dev, 0, lut, sizeof lut) == LOOM_ACCEL_OK && base[4] == (uint32_t)(uintptr_t)lut);
  printf("0\n");
  return 0;
}
`

// TestTableCopies: the driver gives the fabric a constant table where it lies, and a copy
// in scratch memory where the fabric does not reach it. Each change of the driver breaks
// a rule.
func TestTableCopies(t *testing.T) {
	toolstest.Need(t, "gcc")
	for _, c := range []struct{ from, to string }{
		{"", ""},
		{"    copy = dev->scratch + dev->scratch_bytes;\n    for", "    for"},
		{"        copy[i] = ((const unsigned char *)data)[i];", "        copy[0] = ((const unsigned char *)data)[0];"},
		{"+ ((uintptr_t)copy & 63u)", ""},
		{"            lies = dev->array[i].data; /*", "            return LOOM_ACCEL_OK; /*"},
		{"dev->array[i].table == data", "0"},
		{"dev->array[i].table == data", "i == array && dev->array[i].table == data"},
		{"    dev->array[array].table = NULL;\n    return", "    return"},
		{"    dev->scratch_bytes -= i;", ""},
		{"    if (i > room)\n        return NULL;", ""},
		{"    dev->scratch_bytes += dev->scratch_tables;", ""},
		{"    drop_tables(dev);\n    dev->configured", "    dev->configured"},
		{"    drop_tables(dev);\n    dev->scratch =", "    dev->scratch ="},
		{"        dev->array[i].table = NULL;", ""},
		{"        return fail(dev, LOOM_ACCEL_NO_MEMORY);", "        return LOOM_ACCEL_NO_MEMORY;"},
	} {
		got, err := driverRule(t, c.from, c.to, tableProgram, "-DLOOM_ACCEL_MAX_ARRAYS=3")
		if (err == nil && got == "0") != (c.from == "") {
			t.Errorf("%q: rule %s, %v", c.from, got, err)
		}
	}
}

// driverRule runs a program with the driver, in which from stands as to, and returns what it prints: the number of the first
// rule that it finds broken, 0 for none. An empty from leaves the driver as it is.
func driverRule(t *testing.T, from, to, program string, flags ...string) (rule string, err error) {
	t.Helper()
	h, d, err := Driver()
	if err != nil {
		t.Fatal(err)
	}
	source := string(d)
	if strings.Count(source, from) != 1 && from != "" {
		t.Fatalf("loom_accel.c has %d times %q", strings.Count(source, from), from)
	}
	source = strings.Replace(source, from, to, 1)
	dir := t.TempDir()
	for name, text := range map[string]string{"loom_accel.h": string(h), "loom_accel.c": source, "main.c": program} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	flags = append([]string{"-std=c99", "-w", "-fsanitize=undefined,address", "-DLOOM_ACCEL_CUSTOM_IO"}, flags...)
	cmd := exec.Command("gcc", append(flags, "-o", "run", "loom_accel.c", "main.c")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(filepath.Join(dir, "run")).Output()
	return strings.TrimSpace(string(out)), err
}
