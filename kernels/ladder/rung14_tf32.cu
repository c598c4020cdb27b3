/*---
# SPDX-License-Identifier: Apache-2.0
title = "TF32: another precision"
summary = "mma.sync multiplies 16 x 8 by 8 x 8 elements at once, but it keeps 10 mantissa bits of each factor, not 23: look at the error that the check shows."
reference = "matmul_tf32"
operations = "2 * m * n * k"
arch = "compute_80"
phases = "ceildiv(k, TILE_K)"
epochs_per_phase = 1
epochs_before = 1
phase_length = "TILE_K"
sizes = { m = 1024, n = 1024, k = 1024 }
rules = [
  { expr = "max((m + 256) * (k + STAGES * TILE_K), max((k + STAGES * TILE_K) * (n + 256), (m + 256) * (n + 256))) < 2^31", say = "the largest matrix, extended to whole tiles, has up to {max((m + 256) * (k + STAGES * TILE_K), max((k + STAGES * TILE_K) * (n + 256), (m + 256) * (n + 256)))} elements; int indices allow fewer than {2^31}" },
  { expr = "TILE_M % WARP_M == 0 && TILE_N % WARP_N == 0", say = "warps of {WARP_M} x {WARP_N} elements do not divide the tile of {TILE_M} x {TILE_N}" },
  { expr = "TILE_M / WARP_M * TILE_N / WARP_N * 32 <= THREADS_MAX", say = "{TILE_M / WARP_M * TILE_N / WARP_N} warps are {TILE_M / WARP_M * TILE_N / WARP_N * 32} threads; a block has at most {THREADS_MAX}" },
  { expr = "(TILE_M / WARP_M * TILE_N / WARP_N * 32) % (TILE_K / 4) == 0 && (TILE_M / WARP_M * TILE_N / WARP_N * 32) % (TILE_N / 4) == 0 && TILE_M * TILE_K / 4 % (TILE_M / WARP_M * TILE_N / WARP_N * 32) == 0 && TILE_K * TILE_N / 4 % (TILE_M / WARP_M * TILE_N / WARP_N * 32) == 0", say = "{TILE_M / WARP_M * TILE_N / WARP_N * 32} threads cannot share a tile of {TILE_M} x {TILE_K} and one of {TILE_K} x {TILE_N} evenly, four elements at a time" },
]

[tunable.TILE_M]
default = 64
values = [32, 64, 128, 256]
title = "rows of a tile of P"

[tunable.TILE_N]
default = 128
values = [32, 64, 128, 256]
title = "columns of a tile of P"

[tunable.TILE_K]
default = 16
values = [16, 32]
title = "how much of k one phase covers"

[tunable.WARP_M]
default = 64
values = [16, 32, 64]
title = "rows of P per warp"

[tunable.WARP_N]
default = 32
values = [16, 32, 64]
title = "columns of P per warp"

[tunable.STAGES]
default = 3
range = [2, 6]
title = "sets of tiles, all but one of them in flight"

[launch]
block = ["TILE_M / WARP_M * TILE_N / WARP_N * 32"]
grid = ["ceildiv(n, TILE_N)", "ceildiv(m, TILE_M)"]
dynamic_shared_bytes = "4 * STAGES * (TILE_M * (TILE_K + 8) + TILE_K * (TILE_N + 4))"

[[shared]]
name = "Mds"
rows = "STAGES * TILE_M"
columns = "TILE_K + 8"
holds = "M"
offset = "0"

[[shared]]
name = "Nds"
rows = "STAGES * TILE_K"
columns = "TILE_N + 4"
holds = "N"
offset = "4 * STAGES * TILE_M * (TILE_K + 8)"

[[operand]]
name = "M"
rows = "m"
columns = "k"

[[operand]]
name = "N"
rows = "k"
columns = "n"

[[operand]]
name = "P"
rows = "m"
columns = "n"
direction = "out"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"

[[operand]]
name = "k"
kind = "scalar"
---*/

// P = M N, where M is m x k, N is k x n and P is m x n, all in row-major order.
struct Matrices {
  const float *M, *N;
  float* P;
  int m, n, k;
};

// Rows are padded so that 16 lanes that read two floats each at a time use 32 different banks.
extern __shared__ __align__(16) float slots[];
const int wideM = TILE_K + 8, wideN = TILE_N + 4;  // Mds is [STAGES][TILE_M][wideM], Nds [STAGES][TILE_K][wideN]
__device__ float* Mds(int set, int row) { return slots + (set * TILE_M + row) * wideM; }
__device__ float* Nds(int set, int row) { return slots + STAGES * TILE_M * wideM + (set * TILE_K + row) * wideN; }

// Copies an element from global to shared memory without using registers, or a zero if none exists.
__device__ void copy(float* slot, const float* element, bool there) {
  unsigned to = (unsigned)__cvta_generic_to_shared(slot);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(element), "r"(there ? 4 : 0));
}

// Copies four adjacent elements like copy(). Both addresses must be multiples of 16.
__device__ void copy4(float* slot, const float* element, bool there) {
  unsigned to = (unsigned)__cvta_generic_to_shared(slot);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(element), "r"(there ? 16 : 0));
}

// Whether every row of A, and so every group of four, begins at a multiple of 16 bytes.
__device__ bool aligned(const float* A, int cols) { return (unsigned long long)A % 16 == 0 && cols % 4 == 0; }

// Copies four adjacent elements, of which only the first `left` are in the row; zeros for the others.
__device__ void copyFour(float* slot, const float* element, int left, bool aligned) {
  if (aligned) {
    copy4(slot, element, left > 0);
  } else {
    for (int c = 0; c < 4; ++c) copy(slot + c, element + c, c < left);
  }
}

// Makes a group of all copies since the last call.
__device__ void endGroup() { asm volatile("cp.async.commit_group;"); }

// Waits until at most `groups` groups are in flight, so that all older ones have arrived.
template <int groups>
__device__ void waitForAllBut() {
  asm volatile("cp.async.wait_group %0;" ::"n"(groups));
}

// Fills a set of slots with the tiles of a phase, and with zeros past the edges. If `inside`, only
// elements after the last phase are past an edge, and every group of four is aligned.
__device__ void copyTiles(const Matrices& x, int ph, int set, bool inside) {
  const int threads = TILE_M / WARP_M * (TILE_N / WARP_N) * 32;
  const int belowM = threads / (TILE_K / 4), belowN = threads / (TILE_N / 4);
  int tid = threadIdx.x;
  int rowM = tid / (TILE_K / 4), colM = tid % (TILE_K / 4) * 4;
  int rowN = tid / (TILE_N / 4), colN = tid % (TILE_N / 4) * 4;
  int row = blockIdx.y * TILE_M + rowM, col = ph * TILE_K + colM;
#pragma unroll
  for (int s = 0; s < TILE_M; s += belowM) {
    int left = inside || row + s < x.m ? x.k - col : 0;
    copyFour(Mds(set, rowM) + colM + s * wideM, x.M + row * x.k + col + s * x.k, left, inside || aligned(x.M, x.k));
  }
  row = ph * TILE_K + rowN, col = blockIdx.x * TILE_N + colN;
#pragma unroll
  for (int s = 0; s < TILE_K; s += belowN) {
    int left = row + s < x.k ? x.n - col : 0;
    copyFour(Nds(set, rowN) + colN + s * wideN, x.N + row * x.n + col + s * x.n, left, inside || aligned(x.N, x.n));
  }
}

// Rounds a float to the nearest value with 10 mantissa bits instead of 23.
__device__ unsigned tf32(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
}

// p += a b (a is 16 x 8, b 8 x 8, p 16 x 8): a warp's 32 lanes, 8 groups of 4, make 1024 multiply-adds. A lane
// provides elements (group, lane), (group + 8, lane), (group, lane + 4), (group + 8, lane + 4) of a and (lane,
// group), (lane + 4, group) of b. It holds (group, 2 lane), (group, 2 lane + 1) of p and the same two 8 rows below.
__device__ void multiplyAdd(float (&p)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(p[0]), "+f"(p[1]), "+f"(p[2]), "+f"(p[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// The factors that a lane provides for 8 steps of k. The transpose of P is computed, and a is N transposed.
// The order of the 8 is free if a and b share it, so a lane takes adjacent ones, which it reads at once:
// lane 1 takes i = 2 and 3 from rows of M, and columns 2 group and 2 group + 1 from those rows of N.
struct Factors {
  unsigned a[WARP_N / 16][4], b[WARP_M / 8][2];
};

// Reads and rounds the factors: rows of M starting at M, and columns of N starting at N.
__device__ void read(Factors& f, const float* M, const float* N) {
#pragma unroll
  for (int c = 0; c < WARP_N / 16; ++c) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      float2 two = *(const float2*)(N + i * wideN + c * 16);
      f.a[c][2 * i] = tf32(two.x), f.a[c][2 * i + 1] = tf32(two.y);
    }
  }
#pragma unroll
  for (int r = 0; r < WARP_M / 8; ++r) {
    float2 two = *(const float2*)(M + r * 8 * wideM);
    f.b[r][0] = tf32(two.x), f.b[r][1] = tf32(two.y);
  }
}

// A warp computes WARP_M x WARP_N elements of P, in pieces of 8 x 16. The factors of the next 8
// steps of k are read while the products of these are computed (f is double-buffered), across barriers.
__device__ __forceinline__ void sumUp(const Matrices& x, int ty, int tx, bool inside,
                                      float (&Pvalue)[WARP_N / 16][WARP_M / 8][4]) {
  for (int ph = 0; ph < STAGES - 1; ++ph) {
    copyTiles(x, ph, ph, inside);
    endGroup();
  }
  waitForAllBut<STAGES - 2>();
  __syncthreads();
  int group = threadIdx.x % 32 / 4, lane = threadIdx.x % 4;  // the lane within its group of four
  Factors f[2];
  read(f[0], Mds(0, ty + group) + 2 * lane, Nds(0, 2 * lane) + tx + 2 * group);
  int set = 0, filled = STAGES - 1;
  for (int ph = 0; ph * TILE_K < x.k; ++ph) {
    copyTiles(x, ph + STAGES - 1, filled, inside);  // last read before the barrier
    endGroup();
    filled = filled + 1 < STAGES ? filled + 1 : 0;
#pragma unroll
    for (int i = 0; i < TILE_K; i += 8) {
      if (i + 8 == TILE_K) {  // the next phase's first slots can be read after the barrier
        waitForAllBut<STAGES - 2>();
        __syncthreads();
        set = set + 1 < STAGES ? set + 1 : 0;
      }
      int next = (i + 8) % TILE_K;
      read(f[(i / 8 + 1) % 2], Mds(set, ty + group) + next + 2 * lane, Nds(set, next + 2 * lane) + tx + 2 * group);
#pragma unroll
      for (int c = 0; c < WARP_N / 16; ++c) {
#pragma unroll
        for (int r = 0; r < WARP_M / 8; ++r) multiplyAdd(Pvalue[c][r], f[i / 8 % 2].a[c], f[i / 8 % 2].b[r]);
      }
    }
  }
  waitForAllBut<0>();  // copies of zeros after the last phase
}

// Stores two adjacent elements of a row of P.
__device__ void store(const Matrices& x, int row, int col, float first, float second) {
  float* at = x.P + row * x.n + col;
  if (row < x.m && col + 1 < x.n && (unsigned long long)at % 8 == 0) {
    *(float2*)at = {first, second};
  } else {
    if (row < x.m && col < x.n) at[0] = first;
    if (row < x.m && col + 1 < x.n) at[1] = second;
  }
}

__global__ void __launch_bounds__(TILE_M / WARP_M * (TILE_N / WARP_N) * 32, 1)
    rung14_tf32(const float* M, const float* N, float* P, int m, int n, int k) {
  const Matrices x = {M, N, P, m, n, k};
  int warp = threadIdx.x / 32;
  int tx = warp % (TILE_N / WARP_N) * WARP_N;  // upper left element of the warp's part of the tile
  int ty = warp / (TILE_N / WARP_N) * WARP_M;
  int top = blockIdx.y * TILE_M, left = blockIdx.x * TILE_N;
  float Pvalue[WARP_N / 16][WARP_M / 8][4] = {};
  // Compiled twice: a tile inside P needs fewer checks.
  if (top + TILE_M <= m && left + TILE_N <= n && aligned(M, k) && aligned(N, n)) {
    sumUp(x, ty, tx, true, Pvalue);
  } else {
    sumUp(x, ty, tx, false, Pvalue);
  }

  // A lane holds two adjacent elements in each of two rows of every piece.
  int row = top + ty + threadIdx.x % 4 * 2, col = left + tx + threadIdx.x % 32 / 4 * 2;
#pragma unroll
  for (int r = 0; r < WARP_M / 8; ++r) {
#pragma unroll
    for (int c = 0; c < WARP_N / 16; ++c) {
      store(x, row + r * 8, col + c * 16, Pvalue[c][r][0], Pvalue[c][r][2]);
      store(x, row + r * 8 + 1, col + c * 16, Pvalue[c][r][1], Pvalue[c][r][3]);
    }
  }
}
