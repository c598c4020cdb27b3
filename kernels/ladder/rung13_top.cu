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
  { expr = "max((m + 256) * (k + 16), max((k + 16) * (n + 256), (m + 256) * (n + 256))) < 2^31", say = "the largest matrix, extended to whole tiles, has up to {max((m + 256) * (k + 16), max((k + 16) * (n + 256), (m + 256) * (n + 256)))} elements; int indices allow fewer than {2^31}" },
  { expr = "ceildiv(m, TILE_M) * ceildiv(n, TILE_N) * ceildiv(k, TILE_K) < 2^31", say = "the blocks' phases are {ceildiv(m, TILE_M) * ceildiv(n, TILE_N) * ceildiv(k, TILE_K)} in all; an int counts fewer than {2^31}" },
  { expr = "ROWS * COLS <= 128", say = "a patch of {ROWS} x {COLS} has {ROWS * COLS} sums; a thread has registers for 128 and its operands" },
  { expr = "TILE_M * TILE_N / ROWS / COLS <= min(256, THREADS_MAX)", say = "{TILE_M} x {TILE_N} elements in patches of {ROWS} x {COLS} are {TILE_M * TILE_N / ROWS / COLS} threads; their registers are enough for 256" },
  { expr = "TILE_M * TILE_K / 4 % (TILE_M * TILE_N / ROWS / COLS) == 0 && TILE_K * TILE_N / 4 % (TILE_M * TILE_N / ROWS / COLS) == 0", say = "{TILE_M * TILE_N / ROWS / COLS} threads cannot share the fours of a tile of {TILE_M} x {TILE_K} and of one of {TILE_K} x {TILE_N} evenly" },
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
title = "rows of P per thread"

[tunable.COLS]
default = 8
values = [4, 8, 16]
title = "columns of P per thread"

[tunable.STAGES]
default = 3
range = [2, 6]
title = "sets of tiles, all but one of them in flight"

[tunable.GROUP]
default = 8
range = [1, 64]
title = "rows of blocks that form a group"

[tunable.SHARERS]
default = 0
range = [0, 8]
title = "0: one block per tile; else blocks per multiprocessor, which share all phases"

[tunable.N_FIRST]
default = 0
values = [0, 1]
title = "1: a thread reads N's slots before M's; 0: after them"

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

// P = M N, where M is m x k, N is k x n and P is m x n, all in row-major order.
struct Matrices {
  const float *M, *N;
  float* P;
  int m, n, k;
};

// A tile of P, and the phases that are added up here: first to last - 1.
struct Piece {
  int top, left;  // row and column of the tile's first element
  int first, last;
  const float *nextM, *nextN;  // what this thread copies next
};

extern __shared__ __align__(16) float slots[];
const int wide = TILE_M + 4;  // Mds is [STAGES][TILE_K][wide], transposed; Nds is [STAGES][TILE_K][TILE_N]
__device__ float* Mds(int set, int i) { return slots + (set * TILE_K + i) * wide; }
__device__ float* Nds(int set, int i) { return slots + STAGES * TILE_K * wide + (set * TILE_K + i) * TILE_N; }

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

// Waits until at most `groups` groups are in flight, so that all older ones have arrived.
template <int groups>
__device__ void waitForAllBut() {
  asm volatile("cp.async.wait_group %0;" ::"n"(groups));
}

// Whether every row of A, and so every group of four, begins at a multiple of 16 bytes.
__device__ bool aligned(const float* A, int cols) { return (unsigned long long)A % 16 == 0 && cols % 4 == 0; }

// Each thread copies groups of four. These are its first group in each tile, and the row step.
const int threads = TILE_M / ROWS * (TILE_N / COLS);
const int belowM = threads / (TILE_K / 4), belowN = threads / (TILE_N / 4);
__device__ int rowM() { return threadIdx.x / (TILE_K / 4); }
__device__ int colM() { return threadIdx.x % (TILE_K / 4) * 4; }
__device__ int rowN() { return threadIdx.x / (TILE_N / 4); }
__device__ int colN() { return threadIdx.x % (TILE_N / 4) * 4; }

// Fills a set of slots with the tiles of a phase, and with zeros past the edges and after the last
// phase. M is copied by element, since it is transposed. If `inside`, no element is past an edge.
__device__ void copyTiles(const Matrices& x, Piece& p, int ph, int set, bool inside) {
  bool any = ph < p.last;
  float* toM = Mds(set, colM()) + rowM();
#pragma unroll
  for (int s = 0; s < TILE_M; s += belowM) {
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      bool there = inside || (p.top + rowM() + s < x.m && ph * TILE_K + colM() + c < x.k);
      copy(toM + c * wide + s, p.nextM + s * x.k + c, any && there);
    }
  }
  float* toN = Nds(set, rowN()) + colN();
#pragma unroll
  for (int s = 0; s < TILE_K; s += belowN) {
    bool row = inside || ph * TILE_K + rowN() + s < x.k;
    if (inside || aligned(x.N, x.n)) {
      copy4(toN + s * TILE_N, p.nextN + s * x.n, any && row && (inside || p.left + colN() < x.n));
    } else {
      for (int c = 0; c < 4; ++c) {
        copy(toN + s * TILE_N + c, p.nextN + s * x.n + c, any && row && p.left + colN() + c < x.n);
      }
    }
  }
  p.nextM += TILE_K;
  p.nextN += TILE_K * x.n;
}

// The position of a thread's patch in the tile. A warp's lanes are arranged 8 x 4 on its part, lane 1 below
// lane 0. Reading four floats per lane then needs 2 wavefronts, instead of 2.7 on average row by row.
__device__ int patchRow() {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  return warp / (TILE_N / (4 * COLS)) * 8 * ROWS + (lane % 2 + lane / 8 * 2) * 4;
}
__device__ int patchCol() {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  return warp % (TILE_N / (4 * COLS)) * 4 * COLS + lane / 2 % 4 * 4;
}

// Reads the part of a column of M's tile and of a row of N's that the patch needs, in groups of four.
// Either may come first, but the order makes the assembler arrange the whole loop differently.
__device__ void read(int set, int i, float (&a)[ROWS], float (&b)[COLS]) {
#pragma unroll
  for (int turn = 0; turn < 2; ++turn) {
    if (turn == N_FIRST) {
#pragma unroll
      for (int r = 0; r < ROWS; r += 4) *(float4*)&a[r] = *(float4*)(Mds(set, i) + patchRow() + r * 8);
    } else {
#pragma unroll
      for (int c = 0; c < COLS; c += 4) *(float4*)&b[c] = *(float4*)(Nds(set, i) + patchCol() + c * 4);
    }
  }
}

// Adds a column times a row to the patch, back and forth along its rows: each multiply-add shares
// an operand with the previous one, which need not be read from the register file again.
__device__ void multiply(const float (&a)[ROWS], const float (&b)[COLS], float (&Pvalue)[ROWS][COLS]) {
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
#pragma unroll
    for (int s = 0; s < COLS; ++s) {
      int c = r % 2 == 0 ? s : COLS - 1 - s;
      Pvalue[r][c] += a[r] * b[c];
    }
  }
}

// Adds up the products of a piece's phases. The slots of the next i are read while this one's
// products are computed (a and b are double-buffered), across the barrier as well.
__device__ __forceinline__ void sumUp(const Matrices& x, Piece& p, bool inside, float (&Pvalue)[ROWS][COLS]) {
  p.nextM = x.M + (p.top + rowM()) * x.k + p.first * TILE_K + colM();
  p.nextN = x.N + (p.first * TILE_K + rowN()) * x.n + p.left + colN();
  for (int s = 0; s < STAGES - 1; ++s) {
    copyTiles(x, p, p.first + s, s, inside);
    endGroup();
  }
  waitForAllBut<STAGES - 2>();
  __syncthreads();
  float a[2][ROWS], b[2][COLS];
  read(0, 0, a[0], b[0]);
  int set = 0, filled = STAGES - 1;
  for (int ph = p.first; ph < p.last; ++ph) {
    copyTiles(x, p, ph + STAGES - 1, filled, inside);  // last read before the barrier
    endGroup();
    filled = filled + 1 < STAGES ? filled + 1 : 0;
#pragma unroll
    for (int i = 0; i < TILE_K; ++i) {
      if (i + 1 == TILE_K) {  // the next phase's first slots can be read after the barrier
        waitForAllBut<STAGES - 2>();
        __syncthreads();
        set = set + 1 < STAGES ? set + 1 : 0;
      }
      read(set, (i + 1) % TILE_K, a[(i + 1) % 2], b[(i + 1) % 2]);
      multiply(a[i % 2], b[i % 2], Pvalue);
    }
  }
  waitForAllBut<0>();  // copies of zeros after the last phase
}

// Stores four adjacent elements of a row of P, or adds them to the values already there.
__device__ void store(const Matrices& x, int row, int col, bool add, float4 v) {
  float* at = x.P + row * x.n + col;
  if (row < x.m && col + 3 < x.n && aligned(x.P, x.n)) {
    float4 before = {0.0f, 0.0f, 0.0f, 0.0f};
    if (add) before = __ldcg((const float4*)at);
    *(float4*)at = {before.x + v.x, before.y + v.y, before.z + v.z, before.w + v.w};
    return;
  }
  const float value[4] = {v.x, v.y, v.z, v.w};
  for (int c = 0; c < 4; ++c) {
    if (row < x.m && col + c < x.n) at[c] = (add ? __ldcg(at + c) : 0.0f) + value[c];
  }
}

// Block b sets flag b once its part of its first tile is in P. When the launch ends, all flags are 0
// again. Two simultaneous launches would mix up their flags.
__device__ volatile int left_in_P[4096];

// Tiles in GROUP rows are numbered column by column, so that tiles computed together share
// rows of M and columns of N in L2.
__device__ void place(int tile, int blocksY, int blocksX, Piece& p) {
  int firstRow = tile / (GROUP * blocksX) * GROUP;
  int rows = min(GROUP, blocksY - firstRow);
  int inGroup = tile % (GROUP * blocksX);
  p.top = (firstRow + inGroup % rows) * TILE_M;
  p.left = inGroup / rows * TILE_N;
}

// Combines all earlier rungs and fills the last wave: 512 tiles on 132 SMs are 3.9 waves but take as long
// as 4. With SHARERS, the phases of all tiles form one sequence, of which each block takes an equal part.
// If a part ends inside a tile, the next part's block puts its sums in P, and this block adds its own.
__global__ void __launch_bounds__(TILE_M / ROWS * (TILE_N / COLS), 1)
    rung13_top(const float* M, const float* N, float* P, int m, int n, int k) {
  const Matrices x = {M, N, P, m, n, k};
  int blocksY = (m + TILE_M - 1) / TILE_M, blocksX = (n + TILE_N - 1) / TILE_N, phases = (k + TILE_K - 1) / TILE_K;
  int all = blocksY * blocksX * phases;
  // The parts are assigned from last to first, so that a block waits only for the block before it. CUDA
  // guarantees no start order, but GPUs start lower indices first, so the awaited block has started.
  int begin = all - (int)((blockIdx.x + 1ll) * all / gridDim.x);
  int end = all - (int)((long long)blockIdx.x * all / gridDim.x);
  while (begin < end) {
    Piece p;
    place(blocksY * blocksX - 1 - begin / phases, blocksY, blocksX, p);
    p.first = begin % phases;
    p.last = min(p.first + end - begin, phases);
    begin += p.last - p.first;

    float Pvalue[ROWS][COLS] = {};
    // Compiled twice: a tile inside P needs no checks.
    if (p.top + TILE_M <= m && p.left + TILE_N <= n && p.last * TILE_K <= k && aligned(N, n)) {
      sumUp(x, p, true, Pvalue);
    } else {
      sumUp(x, p, false, Pvalue);
    }

    bool add = p.last < phases;  // the block before this one began with the rest of the tile
    if (add && threadIdx.x == 0) {
      while (left_in_P[blockIdx.x - 1] == 0) {
      }
      left_in_P[blockIdx.x - 1] = 0;
      __threadfence();
    }
    if (SHARERS > 0) __syncthreads();  // no thread still reads the slots of the next tile
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
#pragma unroll
      for (int c = 0; c < COLS; c += 4) {
        store(x, p.top + patchRow() + r / 4 * 4 * 8 + r % 4, p.left + patchCol() + c * 4, add, *(float4*)&Pvalue[r][c]);
      }
    }
    if (p.first > 0) {
      __threadfence();
      __syncthreads();
      if (threadIdx.x == 0) left_in_P[blockIdx.x] = 1;
    }
  }
}
