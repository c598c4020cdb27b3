/*---
# SPDX-License-Identifier: Apache-2.0
title = "TF32: another precision"
summary = "mma.sync multiplies 16 x 8 by 8 x 8 elements at once, but of each factor it keeps 10 bits after the point, not 23: look at the error that the check shows."
reference = "matmul_tf32"
operations = "2 * m * n * k"
arch = "compute_80"
phases = "ceildiv(k, TILE_K)"
epochs_per_phase = 1
epochs_before = 1
phase_length = "TILE_K"
sizes = { m = 1024, n = 1024, k = 1024 }
rules = [
  { expr = "max((m + 256) * (k + 32), max((k + 32) * (n + 256), (m + 256) * (n + 256))) < 2^31", say = "the largest matrix has {max((m + 256) * (k + 32), max((k + 32) * (n + 256), (m + 256) * (n + 256)))} elements with what its last tiles reach past the edges; int indices allow fewer than {2^31}" },
  { expr = "TILE_M % WARP_M == 0 && TILE_N % WARP_N == 0", say = "warps of {WARP_M} x {WARP_N} elements do not divide the tile of {TILE_M} x {TILE_N}" },
  { expr = "TILE_M / WARP_M * TILE_N / WARP_N * 32 <= THREADS_MAX", say = "{TILE_M / WARP_M * TILE_N / WARP_N} warps are {TILE_M / WARP_M * TILE_N / WARP_N * 32} threads; a block has at most {THREADS_MAX}" },
  { expr = "(TILE_M / WARP_M * TILE_N / WARP_N * 32) % (TILE_K / 4) == 0 && (TILE_M / WARP_M * TILE_N / WARP_N * 32) % (TILE_N / 4) == 0 && TILE_M * TILE_K / 4 % (TILE_M / WARP_M * TILE_N / WARP_N * 32) == 0 && TILE_K * TILE_N / 4 % (TILE_M / WARP_M * TILE_N / WARP_N * 32) == 0", say = "{TILE_M / WARP_M * TILE_N / WARP_N * 32} threads cannot share a tile of {TILE_M} x {TILE_K} and one of {TILE_K} x {TILE_N} evenly, four elements at a time" },
]

[tunable.TILE_M]
default = 128
values = [32, 64, 128, 256]
title = "rows of a tile of P"

[tunable.TILE_N]
default = 128
values = [32, 64, 128, 256]
title = "columns of a tile of P"

[tunable.TILE_K]
default = 16
values = [8, 16, 32]
title = "how much of k one phase covers"

[tunable.WARP_M]
default = 64
values = [16, 32, 64]
title = "rows of P a warp"

[tunable.WARP_N]
default = 32
values = [8, 16, 32, 64]
title = "columns of P a warp"

[tunable.STAGES]
default = 2
range = [2, 6]
title = "sets of tiles, all but one of them on their way"

[launch]
block = ["TILE_M / WARP_M * TILE_N / WARP_N * 32"]
grid = ["ceildiv(n, TILE_N)", "ceildiv(m, TILE_M)"]
dynamic_shared_bytes = "4 * STAGES * (TILE_M * (TILE_K + 4) + TILE_K * (TILE_N + 8))"

[[shared]]
name = "Mds"
rows = "STAGES * TILE_M"
columns = "TILE_K + 4"
holds = "M"
offset = "0"

[[shared]]
name = "Nds"
rows = "STAGES * TILE_K"
columns = "TILE_N + 8"
holds = "N"
offset = "4 * STAGES * TILE_M * (TILE_K + 4)"

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

// P = M N, where M is m x k, N is k x n and P is m x n, all row by row.
// Copies an element from global to shared memory without passing through registers; a zero where there is none.
__device__ void copy(float* slot, const float* element, bool there) {
  unsigned to = (unsigned)__cvta_generic_to_shared(slot);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(element), "r"(there ? 4 : 0));
}

// The same for four neighbours, both ends aligned to 16 bytes.
__device__ void copy4(float* slot, const float* element, bool there) {
  unsigned to = (unsigned)__cvta_generic_to_shared(slot);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(element), "r"(there ? 16 : 0));
}

// Every row of A begins at a multiple of 16 bytes: so do all fours of neighbours.
__device__ bool aligned(const float* A, int cols) { return (unsigned long long)A % 16 == 0 && cols % 4 == 0; }

// Four neighbours of which so many are left in their row, perhaps none; zeros for the others.
__device__ void copyFour(float* slot, const float* element, int left, bool aligned) {
  if (aligned) {
    copy4(slot, element, left > 0);
  } else {
    for (int c = 0; c < 4; ++c) copy(slot + c, element + c, c < left);
  }
}

// What was copied since the last call is a group.
__device__ void endGroup() { asm volatile("cp.async.commit_group;"); }

// Until at most STAGES - 2 groups are on their way: the oldest one is there.
__device__ void waitForOldest() { asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2)); }

// A float with 10 bits after the point instead of 23, rounded to the nearest.
__device__ unsigned tf32(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
}

// p += a b, where a is 16 x 8, b is 8 x 8 and p is 16 x 8: 1024 multiply-adds by the 32 lanes of a warp together.
// Each lane holds 4 elements of a, 2 of b and 4 of p.
__device__ void multiplyAdd(float* p, const unsigned* a, const unsigned* b) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(p[0]), "+f"(p[1]), "+f"(p[2]), "+f"(p[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// The tiles come as in rung 10. A warp computes WARP_M x WARP_N elements of P, in pieces of 16 x 8. The rows of
// the tiles are padded so that the 32 lanes, 8 groups of 4, find their elements of a piece in 32 banks.
extern __shared__ __align__(16) float slots[];

__global__ void __launch_bounds__(TILE_M / WARP_M * (TILE_N / WARP_N) * 32)
    rung14_tf32(const float* M, const float* N, float* P, int m, int n, int k) {
  const int threads = TILE_M / WARP_M * (TILE_N / WARP_N) * 32;
  const int wideM = TILE_K + 4, wideN = TILE_N + 8;
  float* Mds = slots;                            // [STAGES][TILE_M][TILE_K + 4]
  float* Nds = slots + STAGES * TILE_M * wideM;  // [STAGES][TILE_K][TILE_N + 8]

  int tid = threadIdx.x;
  int warp = tid / 32, group = tid % 32 / 4, lane = tid % 4;  // lane of its group of four
  int tx = warp % (TILE_N / WARP_N) * WARP_N;                 // upper left element of the warp's part of the tile
  int ty = warp / (TILE_N / WARP_N) * WARP_M;
  int top = blockIdx.y * TILE_M;
  int left = blockIdx.x * TILE_N;

  // The first four elements of each tile that this thread copies; the others are some rows below.
  int colM = tid % (TILE_K / 4) * 4, rowM = tid / (TILE_K / 4), belowM = threads / (TILE_K / 4);
  int colN = tid % (TILE_N / 4) * 4, rowN = tid / (TILE_N / 4), belowN = threads / (TILE_N / 4);
  bool foursM = aligned(M, k), foursN = aligned(N, n);
  bool inside = top + TILE_M <= m && left + TILE_N <= n && foursM && foursN;
  int whole = inside ? k / TILE_K : 0;  // so many phases have no edge
  const float* nextM = M + (top + rowM) * k + colM;
  const float* nextN = N + rowN * n + left + colN;
  auto copyTiles = [&](int ph, int set) {
    float* toM = Mds + (set * TILE_M + rowM) * wideM + colM;
    float* toN = Nds + (set * TILE_K + rowN) * wideN + colN;
    if (ph < whole) {
      for (int s = 0; s < TILE_M / belowM; ++s) copy4(toM + s * belowM * wideM, nextM + s * belowM * k, true);
      for (int s = 0; s < TILE_K / belowN; ++s) copy4(toN + s * belowN * wideN, nextN + s * belowN * n, true);
    } else {  // each one is looked at
      for (int s = 0; s < TILE_M / belowM; ++s) {
        bool row = top + rowM + s * belowM < m;
        copyFour(toM + s * belowM * wideM, nextM + s * belowM * k, row ? k - ph * TILE_K - colM : 0, foursM);
      }
      for (int s = 0; s < TILE_K / belowN; ++s) {
        bool row = ph * TILE_K + rowN + s * belowN < k;
        copyFour(toN + s * belowN * wideN, nextN + s * belowN * n, row ? n - left - colN : 0, foursN);
      }
    }
    nextM += TILE_K;
    nextN += TILE_K * n;
  };

  float Pvalue[WARP_M / 16][WARP_N / 8][4] = {};
  int phases = (k + TILE_K - 1) / TILE_K;
  for (int ph = 0; ph < STAGES - 1; ++ph) {
    if (ph < phases) copyTiles(ph, ph);
    endGroup();
  }
  for (int ph = 0; ph < phases; ++ph) {
    waitForOldest();
    __syncthreads();  // everybody's copies are there, and nobody reads the set that is filled next
    if (ph + STAGES - 1 < phases) copyTiles(ph + STAGES - 1, (ph + STAGES - 1) % STAGES);
    endGroup();
    const float* a0 = Mds + (ph % STAGES * TILE_M + ty + group) * wideM + lane;
    const float* b0 = Nds + (ph % STAGES * TILE_K + lane) * wideN + tx + group;
#pragma unroll
    for (int i = 0; i < TILE_K; i += 8) {
      unsigned a[WARP_M / 16][4], b[WARP_N / 8][2];
#pragma unroll
      for (int r = 0; r < WARP_M / 16; ++r) {
        const float* at = a0 + r * 16 * wideM + i;
        a[r][0] = tf32(at[0]);
        a[r][1] = tf32(at[8 * wideM]);
        a[r][2] = tf32(at[4]);
        a[r][3] = tf32(at[8 * wideM + 4]);
      }
#pragma unroll
      for (int c = 0; c < WARP_N / 8; ++c) {
        const float* at = b0 + i * wideN + c * 8;
        b[c][0] = tf32(at[0]);
        b[c][1] = tf32(at[4 * wideN]);
      }
#pragma unroll
      for (int r = 0; r < WARP_M / 16; ++r) {
#pragma unroll
        for (int c = 0; c < WARP_N / 8; ++c) multiplyAdd(Pvalue[r][c], a[r], b[c]);
      }
    }
  }

  // Lane `lane` of group `group` has two neighbours of row `group` of a piece, and two of row group + 8.
  for (int r = 0; r < WARP_M / 16; ++r) {
    for (int c = 0; c < WARP_N / 8; ++c) {
      for (int half = 0; half < 2; ++half) {
        int row = top + ty + r * 16 + half * 8 + group;
        int col = left + tx + c * 8 + lane * 2;
        if (row < m && col < n) P[row * n + col] = Pvalue[r][c][half * 2];
        if (row < m && col + 1 < n) P[row * n + col + 1] = Pvalue[r][c][half * 2 + 1];
      }
    }
  }
}
