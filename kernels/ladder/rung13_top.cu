/*---
# SPDX-License-Identifier: Apache-2.0
title = "Ladder 13: the top"
summary = "All rungs together, and an order of multiply-adds that spares the register file. With SHARERS = 1 all multiprocessors share the last wave's work."
reference = "matmul"
operations = "2 * m * n * k"
arch = "compute_80"
phases = "SHARERS == 0 ? ceildiv(k, TILE_K) : 0"
epochs_per_phase = 1
epochs_before = 1
sizes = { m = 1024, n = 1024, k = 1024 }
rules = [
  { expr = "max((m + 256) * (k + 16), max((k + 16) * (n + 256), (m + 256) * (n + 256))) < 2^31", say = "the largest matrix has {max((m + 256) * (k + 16), max((k + 16) * (n + 256), (m + 256) * (n + 256)))} elements with what its last tiles reach past the edges; int indices allow fewer than {2^31}" },
  { expr = "ceildiv(m, TILE_M) * ceildiv(n, TILE_N) * ceildiv(k, TILE_K) < 2^31", say = "the blocks' phases are {ceildiv(m, TILE_M) * ceildiv(n, TILE_N) * ceildiv(k, TILE_K)} in all; an int counts fewer than {2^31}" },
  { expr = "ROWS * COLS <= 128", say = "a patch of {ROWS} x {COLS} has {ROWS * COLS} sums; a thread has registers for 128 and its operands" },
  { expr = "TILE_M * TILE_N / ROWS / COLS <= min(256, THREADS_MAX)", say = "{TILE_M} x {TILE_N} elements in patches of {ROWS} x {COLS} are {TILE_M * TILE_N / ROWS / COLS} threads; their registers are enough for 256" },
  { expr = "TILE_M * TILE_K % (TILE_M * TILE_N / ROWS / COLS) == 0 && TILE_K * TILE_N / 4 % (TILE_M * TILE_N / ROWS / COLS) == 0", say = "{TILE_M * TILE_N / ROWS / COLS} threads cannot share a tile of {TILE_M} x {TILE_K} and one of {TILE_K} x {TILE_N} evenly" },
  { expr = "TILE_M * TILE_N / ROWS / COLS % TILE_K == 0", say = "{TILE_M * TILE_N / ROWS / COLS} threads are no multiple of TILE_K = {TILE_K}" },
  { expr = "TILE_N % (4 * COLS) == 0 && TILE_M % (8 * ROWS) == 0", say = "a warp covers {8 * ROWS} x {4 * COLS} elements, which do not divide the tile of {TILE_M} x {TILE_N}" },
  { expr = "MULTIPROCESSORS * SHARERS <= 4096", say = "{MULTIPROCESSORS} multiprocessors with {SHARERS} blocks each are more than the 4096 that have a flag" },
]

[tunable.TILE_M]
default = 128
values = [64, 128, 256]
title = "rows of a tile of P"

[tunable.TILE_N]
default = 256
values = [64, 128, 256]
title = "columns of a tile of P"

[tunable.TILE_K]
default = 8
values = [8, 16]
title = "how much of k one phase covers"

[tunable.ROWS]
default = 16
values = [4, 8, 16]
title = "rows of P a thread"

[tunable.COLS]
default = 8
values = [4, 8, 16]
title = "columns of P a thread"

[tunable.STAGES]
default = 3
range = [2, 6]
title = "sets of tiles, all but one of them on their way"

[tunable.GROUP]
default = 8
range = [1, 64]
title = "rows of blocks that are gone through together"

[tunable.SHARERS]
default = 0
range = [0, 8]
title = "0: a block a tile; else so many blocks a multiprocessor share all phases"

[launch]
block = ["TILE_M / ROWS * TILE_N / COLS"]
grid = ["SHARERS == 0 ? ceildiv(m, TILE_M) * ceildiv(n, TILE_N) : max(1, min(MULTIPROCESSORS * SHARERS, floordiv(ceildiv(m, TILE_M) * ceildiv(n, TILE_N) * ceildiv(k, TILE_K), 8)))"]
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

// P = M N, where M is m x k, N is k x n and P is m x n, all row by row.
// Copies an element from global to shared memory without passing through registers, done some time before the
// wait for its group ends; a zero where there is none.
__device__ void copy(float* slot, const float* element, bool there) {
  unsigned to = (unsigned)__cvta_generic_to_shared(slot);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(element), "r"(there ? 4 : 0));
}

// The same for four neighbours, both ends aligned to 16 bytes.
__device__ void copy4(float* slot, const float* element, bool there) {
  unsigned to = (unsigned)__cvta_generic_to_shared(slot);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(element), "r"(there ? 16 : 0));
}

// What was copied since the last call is a group.
__device__ void endGroup() { asm volatile("cp.async.commit_group;"); }

// Until at most STAGES - 2 groups are on their way: the oldest one is there.
__device__ void waitForOldest() { asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2)); }

// Every row of A begins at a multiple of 16 bytes: so do all fours of neighbours.
__device__ bool aligned(const float* A, int cols) { return (unsigned long long)A % 16 == 0 && cols % 4 == 0; }

// Four neighbours of a row of P, with what was there before where it is to be added.
__device__ void store(float* P, int row, int col, int rows, int cols, bool add, float4 v) {
  float* at = P + row * cols + col;
  if (row < rows && col + 3 < cols && aligned(P, cols)) {
    float4 before = {0.0f, 0.0f, 0.0f, 0.0f};
    if (add) before = __ldcg((const float4*)at);
    *(float4*)at = {before.x + v.x, before.y + v.y, before.z + v.z, before.w + v.w};
    return;
  }
  const float value[4] = {v.x, v.y, v.z, v.w};
  for (int c = 0; c < 4; ++c) {
    if (row < rows && col + c < cols) at[c] = (add ? __ldcg(at + c) : 0.0f) + value[c];
  }
}

// Whether the block of this number has left its share of the tile that it began with in P. All are 0 again when the
// launch is over; two launches at a time would mix theirs.
__device__ volatile int left_in_P[4096];

extern __shared__ __align__(16) float slots[];

// The rungs below together, and three things more.
// The slots of the next i are read while this one's products are computed (a and b have two places each), across
// the barrier as well.
// The order of the multiply-adds: within a square of 2 x 2, walked round, each one shares an operand with the one
// before it, which the hardware then need not read from the register file again.
// The last wave: 512 tiles on 132 multiprocessors are 3.9 waves, but take as long as 4. With SHARERS, the phases of
// all tiles stand in one long row, of which each block takes an equal piece. Where a piece ends inside a tile, the
// block of the next piece leaves its sums in P, and this one adds its own.
__global__ void __launch_bounds__(TILE_M / ROWS * (TILE_N / COLS), 1)
    rung13_top(const float* M, const float* N, float* P, int m, int n, int k) {
  const int threads = TILE_M / ROWS * (TILE_N / COLS);
  const int wide = TILE_M + 4;
  float* Mds = slots;                           // [STAGES][TILE_K][TILE_M + 4], turned
  float* Nds = slots + STAGES * TILE_K * wide;  // [STAGES][TILE_K][TILE_N]

  int tid = threadIdx.x;
  // A warp's 32 lanes stand 8 x 4 on its own part of the tile.
  const int lanesX = 4, lanesY = 8;
  const int warpsX = TILE_N / (lanesX * COLS);
  int warp = tid / 32, lane = tid % 32;
  int tx = warp % warpsX * lanesX * COLS + lane % lanesX * 4;
  int ty = warp / warpsX * lanesY * ROWS + lane / lanesX * 4;
  // The first element of M and the first four of N that this thread copies of a tile; the others are some rows below.
  int iM = tid % TILE_K, rowM = tid / TILE_K, belowM = threads / TILE_K;
  int colN = tid % (TILE_N / 4) * 4, iN = tid / (TILE_N / 4), belowN = threads / (TILE_N / 4);

  // The pieces are given out from the last one on, so that a block waits for the one before it alone. CUDA promises
  // no order in which blocks begin; GPUs begin with the lower numbers, so that nobody waits for one that cannot.
  int blocksY = (m + TILE_M - 1) / TILE_M, blocksX = (n + TILE_N - 1) / TILE_N, phases = (k + TILE_K - 1) / TILE_K;
  int all = blocksY * blocksX * phases;
  int begin = all - (int)((blockIdx.x + 1ll) * all / gridDim.x), end = all - (int)((long long)blockIdx.x * all / gridDim.x);
  while (begin < end) {
    int tile = blocksY * blocksX - 1 - begin / phases, first = begin % phases, last = min(first + end - begin, phases);
    begin += last - first;

    // Tiles of a group of GROUP rows are numbered column by column, so that those that are computed together share
    // rows of M and columns of N in L2.
    int firstRow = tile / (GROUP * blocksX) * GROUP;
    int rows = min(GROUP, blocksY - firstRow);
    int inGroup = tile % (GROUP * blocksX);
    int top = (firstRow + inGroup % rows) * TILE_M;
    int left = inGroup / rows * TILE_N;

    bool fours = aligned(N, n);
    int whole = top + TILE_M <= m && left + TILE_N <= n && fours ? k / TILE_K : 0;  // so many phases have no edge
    const float* nextM = M + (top + rowM) * k + first * TILE_K + iM;
    const float* nextN = N + (first * TILE_K + iN) * n + left + colN;
    float Pvalue[ROWS][COLS] = {};
    // Adds up the products of these phases. Compiled twice: for a tile inside, no element is looked at.
    auto sumUp = [&](bool inside) {
      auto copyTiles = [&](int ph, int set) {
        float* toM = &Mds[(set * TILE_K + iM) * wide + rowM];
        float* toN = &Nds[(set * TILE_K + iN) * TILE_N + colN];
        if (inside) {
          for (int s = 0; s < TILE_M / belowM; ++s) copy(toM + s * belowM, nextM + s * belowM * k, true);
          for (int s = 0; s < TILE_K / belowN; ++s) copy4(toN + s * belowN * TILE_N, nextN + s * belowN * n, true);
        } else {
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

      float a[2][ROWS], b[2][COLS];
      auto read = [&](int set, int i, int place) {
        for (int r = 0; r < ROWS; r += 4) {
          *(float4*)&a[place][r] = *(float4*)&Mds[(set * TILE_K + i) * wide + ty + r * lanesY];
        }
        for (int c = 0; c < COLS; c += 4) {
          *(float4*)&b[place][c] = *(float4*)&Nds[(set * TILE_K + i) * TILE_N + tx + c * lanesX];
        }
      };

      for (int s = 0; s < STAGES - 1; ++s) {
        if (first + s < last) copyTiles(first + s, s);
        endGroup();
      }
      waitForOldest();
      __syncthreads();
      read(0, 0, 0);
      int set = 0, filled = STAGES - 1;
      for (int ph = first; ph < last; ++ph) {
#pragma unroll
        for (int i = 0; i < TILE_K; ++i) {
          if (i + 1 < TILE_K) {
            read(set, i + 1, (i + 1) % 2);
          } else {  // the first slots of the next phase, which are there behind the barrier
            waitForOldest();
            __syncthreads();
            if (inside || ph + 1 < last) set = set + 1 < STAGES ? set + 1 : 0;
            read(set, 0, (i + 1) % 2);
          }
          if (i == 1) {  // what is filled now was read for the last time before the barrier
            if (ph + STAGES - 1 < last) copyTiles(ph + STAGES - 1, filled);
            endGroup();
            filled = filled + 1 < STAGES ? filled + 1 : 0;
          }
#pragma unroll
          for (int r = 0; r < ROWS; r += 2) {
#pragma unroll
            for (int s = 0; s < COLS; s += 2) {
              int c = r % 4 == 0 ? s : COLS - 2 - s;  // to and fro
              Pvalue[r][c] += a[i % 2][r] * b[i % 2][c];
              Pvalue[r][c + 1] += a[i % 2][r] * b[i % 2][c + 1];
              Pvalue[r + 1][c + 1] += a[i % 2][r + 1] * b[i % 2][c + 1];
              Pvalue[r + 1][c] += a[i % 2][r + 1] * b[i % 2][c];
            }
          }
        }
      }
    };
    if (whole >= last && last - first >= STAGES) {
      sumUp(true);
    } else {
      sumUp(false);
    }

    bool add = last < phases;  // The rest of the tile was the first thing that the block before this one did.
    if (add && tid == 0) {
      while (left_in_P[blockIdx.x - 1] == 0) {
      }
      left_in_P[blockIdx.x - 1] = 0;
      __threadfence();
    }
    if (SHARERS > 0) __syncthreads();  // and nobody reads the slots that the next tile goes into
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
#pragma unroll
      for (int c = 0; c < COLS; c += 4) {
        store(P, top + ty + r / 4 * 4 * lanesY + r % 4, left + tx + c * lanesX, m, n, add, *(float4*)&Pvalue[r][c]);
      }
    }
    if (first > 0) {
      __threadfence();
      __syncthreads();
      if (tid == 0) left_in_P[blockIdx.x] = 1;
    }
  }
}
