/*---
# SPDX-License-Identifier: Apache-2.0
title = "Ladder 12: order of blocks"
summary = "Blocks that run together share rows of M and columns of N, so that more of what they load is already in L2."
reference = "matmul"
operations = "2 * m * n * k"
arch = "compute_80"
phases = "ceildiv(k, TILE_K)"
epochs_per_phase = 1
epochs_before = 1
phase_length = "TILE_K"
sizes = { m = 1024, n = 1024, k = 1024 }
rules = [
  { expr = "max((m + 256) * (k + 16), max((k + 16) * (n + 256), (m + 256) * (n + 256))) < 2^31", say = "the largest matrix, extended to whole tiles, has up to {max((m + 256) * (k + 16), max((k + 16) * (n + 256), (m + 256) * (n + 256)))} elements; int indices allow fewer than {2^31}" },
  { expr = "TILE_M * TILE_N / ROWS / COLS <= THREADS_MAX", say = "{TILE_M} x {TILE_N} elements in patches of {ROWS} x {COLS} are {TILE_M * TILE_N / ROWS / COLS} threads; a block has at most {THREADS_MAX}" },
  { expr = "TILE_M * TILE_K % (TILE_M * TILE_N / ROWS / COLS) == 0 && TILE_K * TILE_N / 4 % (TILE_M * TILE_N / ROWS / COLS) == 0", say = "{TILE_M * TILE_N / ROWS / COLS} threads cannot share a tile of {TILE_M} x {TILE_K} and one of {TILE_K} x {TILE_N} evenly" },
  { expr = "TILE_M * TILE_N / ROWS / COLS % TILE_K == 0", say = "{TILE_M * TILE_N / ROWS / COLS} threads are not a multiple of TILE_K = {TILE_K}" },
  { expr = "TILE_N % (4 * COLS) == 0 && TILE_M % (8 * ROWS) == 0", say = "a warp covers {8 * ROWS} x {4 * COLS} elements, which do not divide the tile of {TILE_M} x {TILE_N}" },
]

[tunable.TILE_M]
default = 128
values = [32, 64, 128]
title = "rows of a tile of P"

[tunable.TILE_N]
default = 128
values = [32, 64, 128]
title = "columns of a tile of P"

[tunable.TILE_K]
default = 8
values = [8, 16]
title = "how much of k one phase covers"

[tunable.ROWS]
default = 8
values = [4, 8]
title = "rows of P per thread"

[tunable.COLS]
default = 8
values = [4, 8]
title = "columns of P per thread"

[tunable.STAGES]
default = 3
range = [2, 6]
title = "sets of tiles, all but one of them in flight"

[tunable.GROUP]
default = 8
range = [1, 64]
title = "rows of blocks that form a group"

[launch]
block = ["TILE_M / ROWS * TILE_N / COLS"]
grid = ["ceildiv(n, TILE_N) * ceildiv(m, TILE_M)"]
dynamic_shared_bytes = "4 * STAGES * TILE_K * (TILE_M + 4 + TILE_N)"

[[shared]]
name = "Mds"
rows = "STAGES * TILE_K"
columns = "TILE_M + 4"
holds = "M"
offset = "0"

[[shared]]
name = "Nds"
rows = "STAGES * TILE_K"
columns = "TILE_N"
holds = "N"
offset = "4 * STAGES * TILE_K * (TILE_M + 4)"

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
// Copies an element from global to shared memory without using registers, or a zero if it does not
// exist. The copy is complete when the wait for its group ends.
__device__ void copy(float* slot, const float* element, bool there) {
  unsigned to = (unsigned)__cvta_generic_to_shared(slot);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(element), "r"(there ? 4 : 0));
}

// Copies four adjacent elements like copy(). Both addresses must be multiples of 16.
__device__ void copy4(float* slot, const float* element, bool there) {
  unsigned to = (unsigned)__cvta_generic_to_shared(slot);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(element), "r"(there ? 16 : 0));
}

// Makes a group of all copies since the last call.
__device__ void endGroup() { asm volatile("cp.async.commit_group;"); }

// Waits until at most STAGES - 2 groups are in flight, so that the oldest one has arrived.
__device__ void waitForOldest() { asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2)); }

// Whether every row of A, and so every group of four, begins at a multiple of 16 bytes.
__device__ bool aligned(const float* A, int cols) { return (unsigned long long)A % 16 == 0 && cols % 4 == 0; }

// Stores four adjacent elements of a row, as 16 bytes if all exist and are aligned.
__device__ void store(float* P, int row, int col, int rows, int cols, float4 v) {
  float* at = P + row * cols + col;
  if (row < rows && col + 3 < cols && aligned(P, cols)) {
    *(float4*)at = v;
    return;
  }
  if (row < rows && col < cols) at[0] = v.x;
  if (row < rows && col + 1 < cols) at[1] = v.y;
  if (row < rows && col + 2 < cols) at[2] = v.z;
  if (row < rows && col + 3 < cols) at[3] = v.w;
}

// rung11_warp_tiles with the blocks in another order (see GROUP).
extern __shared__ __align__(16) float slots[];

__global__ void __launch_bounds__(TILE_M / ROWS * (TILE_N / COLS), TILE_M / ROWS * (TILE_N / COLS) <= 256 ? 2 : 1)
    rung12_block_order(const float* M, const float* N, float* P, int m, int n, int k) {
  const int threads = TILE_M / ROWS * (TILE_N / COLS);
  const int wide = TILE_M + 4;
  float* Mds = slots;                           // [STAGES][TILE_K][TILE_M + 4], transposed
  float* Nds = slots + STAGES * TILE_K * wide;  // [STAGES][TILE_K][TILE_N]

  int tid = threadIdx.x;
  // A warp's 32 lanes are arranged 8 x 4 on its own part of the tile.
  const int lanesX = 4, lanesY = 8;
  const int warpsX = TILE_N / (lanesX * COLS);
  int warp = tid / 32, lane = tid % 32;
  int tx = warp % warpsX * lanesX * COLS + lane % lanesX * 4;
  int ty = warp / warpsX * lanesY * ROWS + lane / lanesX * 4;

  // In groups of GROUP rows, blocks are numbered column by column, so that blocks that run together
  // share rows of M and columns of N in L2.
  int blocksY = (m + TILE_M - 1) / TILE_M, blocksX = (n + TILE_N - 1) / TILE_N;
  int firstRow = blockIdx.x / (GROUP * blocksX) * GROUP;
  int rows = min(GROUP, blocksY - firstRow);
  int inGroup = blockIdx.x % (GROUP * blocksX);
  int top = (firstRow + inGroup % rows) * TILE_M;
  int left = inGroup / rows * TILE_N;

  // The first element of M and the first four of N that this thread copies; its others are below these.
  int iM = tid % TILE_K, rowM = tid / TILE_K, belowM = threads / TILE_K;
  int colN = tid % (TILE_N / 4) * 4, iN = tid / (TILE_N / 4), belowN = threads / (TILE_N / 4);
  bool fours = aligned(N, n);
  int whole = top + TILE_M <= m && left + TILE_N <= n && fours ? k / TILE_K : 0;  // phases without an edge
  const float* nextM = M + (top + rowM) * k + iM;
  const float* nextN = N + iN * n + left + colN;
  auto copyTiles = [&](int ph, int set) {
    float* toM = &Mds[(set * TILE_K + iM) * wide + rowM];
    float* toN = &Nds[(set * TILE_K + iN) * TILE_N + colN];
    if (ph < whole) {
      for (int s = 0; s < TILE_M / belowM; ++s) copy(toM + s * belowM, nextM + s * belowM * k, true);
      for (int s = 0; s < TILE_K / belowN; ++s) copy4(toN + s * belowN * TILE_N, nextN + s * belowN * n, true);
    } else {  // checks each element
      for (int s = 0; s < TILE_M / belowM; ++s) {
        copy(toM + s * belowM, nextM + s * belowM * k, top + rowM + s * belowM < m && ph * TILE_K + iM < k);
      }
      for (int s = 0; s < TILE_K / belowN; ++s) {
        bool row = ph * TILE_K + iN + s * belowN < k;
        float* slot = toN + s * belowN * TILE_N;
        const float* element = nextN + s * belowN * n;
        if (fours) {
          copy4(slot, element, row && left + colN < n);
        } else {
          for (int c = 0; c < 4; ++c) copy(slot + c, element + c, row && left + colN + c < n);
        }
      }
    }
    nextM += TILE_K;
    nextN += TILE_K * n;
  };

  float Pvalue[ROWS][COLS] = {};
  int phases = (k + TILE_K - 1) / TILE_K;
  for (int ph = 0; ph < STAGES - 1; ++ph) {
    if (ph < phases) copyTiles(ph, ph);
    endGroup();
  }
  for (int ph = 0; ph < phases; ++ph) {
    waitForOldest();
    __syncthreads();  // all copies have arrived, and no thread reads the set filled next
    if (ph + STAGES - 1 < phases) copyTiles(ph + STAGES - 1, (ph + STAGES - 1) % STAGES);
    endGroup();
    int set = ph % STAGES;
#pragma unroll
    for (int i = 0; i < TILE_K; ++i) {
      float a[ROWS], b[COLS];
      for (int r = 0; r < ROWS; r += 4) *(float4*)&a[r] = *(float4*)&Mds[(set * TILE_K + i) * wide + ty + r * lanesY];
      for (int c = 0; c < COLS; c += 4) *(float4*)&b[c] = *(float4*)&Nds[(set * TILE_K + i) * TILE_N + tx + c * lanesX];
      for (int r = 0; r < ROWS; ++r) {
        for (int c = 0; c < COLS; ++c) {
          Pvalue[r][c] += a[r] * b[c];
        }
      }
    }
  }
  for (int r = 0; r < ROWS; ++r) {
    for (int c = 0; c < COLS; c += 4) {
      store(P, top + ty + r / 4 * 4 * lanesY + r % 4, left + tx + c * lanesX, m, n, *(float4*)&Pvalue[r][c]);
    }
  }
}
