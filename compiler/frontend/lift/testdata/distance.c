// Distances between pointers that move others: p[q - r], where q and r are in one array
// and p may be in another.

// bytes has the distance of a pointer that the loop moves.
// run: bytes(*16, *16, 16)
void bytes(unsigned char *in, unsigned char *mid, int n) {
  unsigned char *midp = mid;
  for (int i = 0; i < n; i++) {
    if (*midp < 8)
      *(in + (midp - mid)) = 0;
    midp++;
  }
}

// A part of the distance does not change in the loop, and is added outside of it.
// run: beside(*24, *16, 16, 3)
void beside(unsigned char *in, unsigned char *mid, int n, int x) {
  unsigned char *midp = mid, *inp;
  for (int i = 0; i < n; i++) {
    if (*midp < 8) {
      inp = in + (midp - mid) + x + 1;
      *inp++ = 255;
      *inp = 254;
      in[midp - mid + 2 * x]++;
    }
    midp++;
  }
}

// run: elements(*20, *20, 10)
int elements(int *in, const int *mid, int n) {
  const int *midp = mid;
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (*midp < 8)
      in[midp - mid] += i;
    s += (int)(midp - mid);
    midp += 2;
  }
  return s;
}

// The distance is one of elements of another size.
// run: narrower(*20, *10, 10)
void narrower(short *in, const int *mid, int n) {
  const int *midp = mid;
  for (int i = 0; i < n; i++) {
    if (*midp < 8)
      in[2 * (midp - mid) + 1] = 5;
    if (*midp < 4)
      in[midp - mid] = 7;
    midp++;
  }
}

// run: wider(*20, *10, 10)
void wider(int *in, const short *mid, int n) {
  const short *midp = mid;
  for (int i = 0; i < n; i++) {
    if (*midp < 8)
      in[midp - mid + 3] = i;
    midp++;
  }
}

struct triple { int a, b, c; };
// run: records(*12, *12, 12)
void records(struct triple *in, const struct triple *mid, int n) {
  const struct triple *midp = mid;
  for (int i = 0; i < n; i++) {
    if (midp->a < 8)
      in[midp - mid].b = in[n - 1 - (midp - mid)].c;
    midp++;
  }
}

// run: ofRecords(*12, *12, 12)
void ofRecords(double *in, const struct triple *mid, int n) {
  for (const struct triple *midp = mid; midp < mid + n; midp++)
    if (midp->a < 8)
      in[midp - mid] *= 2;
}

// The walk is inside of another loop, and its distance goes into rows.
// run: rows(*30, *30, 5)
void rows(int (*in)[6], const unsigned char *mid, int n) {
  for (int i = 0; i < n; i++) {
    const unsigned char *row = mid + 6 * i;
    for (const unsigned char *p = row; p < row + 6; p++)
      if (*p & 1)
        in[i][p - row]++;
  }
}

// run: byteRows(*30, *36, 5)
void byteRows(unsigned char (*in)[6], const unsigned char *mid, int n) {
  for (int i = 0; i < n; i++) {
    const unsigned char *row = mid + 6 * i;
    for (const unsigned char *p = row; p < row + 6; p++)
      if (*p & 1)
        in[i][p - row]++;
  }
}

// As some optimisers write it: away from the one address, then by the other.
// run: split(*16, *16, 16)
void split(int *in, const int *mid, int n) {
  char *base = (char *)in - (unsigned long)mid;
  for (const int *p = mid; p < mid + n; p++)
    if (*p & 1)
      *(int *)(base + (unsigned long)p) = *p;
}

// run: splitRow(*30, *36, 2, 1, 4)
void splitRow(unsigned char (*in)[6], const unsigned char *mid, long r, long k, int n) {
  unsigned char *base = &in[r][k] - (unsigned long)mid;
  const unsigned char *p = mid;
  for (int i = 0; i < n; i++) {
    if (*p & 1)
      base[(unsigned long)p] = i;
    p++;
  }
}

// run: rowNumber(*36, *12, 6)
void rowNumber(int (*in)[6], const unsigned char *mid, int n) {
  const unsigned char *p = mid;
  for (int i = 0; i < n; i++, p++)
    if (*p & 1)
      in[p - mid][2] = i;
}

// Both pointers move, and both addresses are of an array of their own.
// run: moved(*32, *16, 8)
void moved(int *in, const int *mid, int n) {
  const int *p = mid, *q = mid + n;
  while (p < q) {
    if (*p < *(q - 1))
      in[q - p] = *p;
    p++;
    in[q - mid + (q - p)] = 1;
    q--;
  }
}

// The pointer is into one of two arrays, and so is the one that it is measured from.
// run: either(*16, *16, *16, 8, 1)
// run: either(*16, *16, *16, 8, 0)
void either(int *in, const int *a, const int *b, int n, int which) {
  const int *base = which ? a : b;
  const int *p = base;
  for (int i = 0; i < n; i++) {
    if (*p > 0)
      in[p - base] = *p;
    p++;
  }
}

// run: table(*16, 16)
int table(const unsigned char *a, int n) {
  static const unsigned char first[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
  int s = 0;
  for (const unsigned char *p = first; p < first + n; p++)
    s = s * 3 + a[p - first] * *p;
  return s;
}

// Half a distance in bytes does not go over whole elements.
typedef int __attribute__((aligned(1), may_alias)) loose;
// run: halves(*12, *8, 8)
void halves(int *in, const int *mid, int n) {
  for (const int *p = mid; p < mid + n; p++)
    if (*p & 1)
      *(loose *)((char *)in + ((const char *)p - (const char *)mid) / 2) = *p;
}

// run: eighths(*12, *8, 8)
void eighths(int *in, const int *mid, int n) {
  for (const int *p = mid; p < mid + n; p++) {
    int at = (int)(((const char *)p - (const char *)mid) / 8);
    *(loose *)((char *)in + (at + 4)) = *p;
  }
}

// The address that distances are measured from is chosen as a number, before a loop.
// run: narrowing(*16, 16)
int narrowing(int *v, int n) {
  int *first = v, *last = v + n, s = 0;
  while (last - first > 3) {
    int *cut = first + (last - first) / 2;
    if (*cut & 1)
      first = cut;
    else
      last = cut;
  }
  for (int *p = first; p < last; p++)
    s = s * 3 + (int)(p - first) * *p;
  return s;
}
