// SPDX-License-Identifier: Apache-2.0
// An instrumented kernel calls these functions to count its own memory traffic. They are compiled to
// relocatable PTX, and src/ptx/rewrite/instrument.cpp merges them into the kernel's module; the code
// that it inserts calls them when it sees something new. Only explicit PTX instructions are used, so
// that any compiler of CUDA C++ generates the same code.

// The table of counts: cells[copy][period - 1][epoch][column], 64 bits each. The host sets the
// pointer and the columns before a launch, and zeroes the cells.
struct TilestepTable {
  unsigned long long* cells;
  unsigned columns;
  unsigned greatestEpoch;
};

// These must equal the constants of ptx::CountTable.
#define TILESTEP_COPIES 8u
#define TILESTEP_PERIODS 8u
#define TILESTEP_EPOCHS 4096u

extern "C" {

__device__ TilestepTable tilestep_table;

// Comparing 32 values with one another (match) costs a multiprocessor 2 cycles for each distinct
// value, or 4 for 64-bit values; each of the following costs about 2.

static __device__ unsigned tilestep_all(unsigned value, unsigned lanes) {
  unsigned all;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.all.pred p, p, %2; "
               "selp.u32 %0, 1, 0, p; }"
               : "=r"(all)
               : "r"(value), "r"(lanes));
  return all;
}

static __device__ unsigned tilestep_ballot(unsigned value, unsigned lanes) {
  unsigned ballot;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(ballot)
               : "r"(value), "r"(lanes));
  return ballot;
}

static __device__ unsigned tilestep_ones(unsigned value) {
  unsigned ones;
  asm volatile("popc.b32 %0, %1;" : "=r"(ones) : "r"(value));
  return ones;
}

static __device__ unsigned tilestep_from(unsigned value, unsigned lane, unsigned lanes) {
  unsigned other;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;"
               : "=r"(other)
               : "r"(value), "r"(lane), "r"(lanes));
  return other;
}

// Returns the lowest of `lanes`.
static __device__ unsigned tilestep_lowest(unsigned lanes) {
  return tilestep_ones((lanes & (0u - lanes)) - 1);
}

// Describes the pattern of a warp's global addresses, which the caller keeps as `seen`: bit c (0 to
// 7) says that this lane is the lowest in its 32-byte sector once all addresses have moved by c
// words (modulo 32 bytes), bit 8 + c says that bit c is known, and bit 16 says that this lane is the
// lowest at its address. Returns `seen` with distance `word` filled in; starts afresh unless `same`.
__device__ __noinline__ unsigned tilestep_look_global(unsigned long long address, unsigned lanes,
                                                      unsigned seen, unsigned word,
                                                      unsigned same) {
  unsigned below, twins, neighbours, above;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  // If addresses never decrease from lane to lane, only consecutive lanes can have equal ones.
  const unsigned low = static_cast<unsigned>(address), high = static_cast<unsigned>(address >> 32);
  const unsigned lower = lanes & below;
  unsigned before = tilestep_lowest(lanes);
  if (lower != 0) asm volatile("bfind.u32 %0, %1;" : "=r"(before) : "r"(lower));
  unsigned long long previous = static_cast<unsigned long long>(tilestep_from(high, before, lanes))
                                << 32;
  previous |= tilestep_from(low, before, lanes);
  if (tilestep_all(address >= previous, lanes) != 0) {
    if (same == 0) seen = lower == 0 || address != previous ? 1u << 16 : 0u;
    unsigned starts = lower == 0 || address >> 5 != previous >> 5;
    return seen | (starts | 256u) << word;
  }
  if (same == 0) {
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(twins) : "r"(low), "r"(lanes));
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(above) : "r"(high), "r"(lanes));
    seen = (twins & above & below) == 0 ? 1u << 16 : 0u;
  }
  asm volatile("match.any.sync.b32 %0, %1, %2;"
               : "=r"(neighbours)
               : "r"(static_cast<unsigned>(address >> 5)), "r"(lanes));
  asm volatile("match.any.sync.b32 %0, %1, %2;"
               : "=r"(above)
               : "r"(static_cast<unsigned>(address >> 37)), "r"(lanes));
  unsigned first = (neighbours & above & below) == 0;
  return seen | (first | 256u) << word;
}

// Shared memory serves one unit of each bank per wavefront (units of 4, 8 or 16 bytes, with 32, 16
// or 8 banks of that width). The distinct units of a bank are ranked; wavefront r serves lanes of
// rank r. Returns 1 in the lowest lane of each rank, so that the sum over lanes is the number of
// wavefronts.
__device__ __noinline__ unsigned tilestep_first_in_wavefront(unsigned unit, unsigned banks,
                                                             unsigned lanes) {
  unsigned below, same, firsts, bank, ranks;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  // Consecutive units, no more than there are banks, never share a bank.
  unsigned lowest = tilestep_from(unit, tilestep_lowest(lanes), lanes);
  if (tilestep_all(unit - lowest < banks, lanes) != 0) return (lanes & below) == 0;
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(same) : "r"(unit), "r"(lanes));
  unsigned first = (same & below) == 0;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(firsts)
               : "r"(first), "r"(lanes));
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(bank) : "r"(unit & (banks - 1)), "r"(lanes));
  unsigned rank;
  asm volatile("popc.b32 %0, %1;" : "=r"(rank) : "r"(bank & firsts & below));
  unsigned key = first ? rank : 64u;
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(ranks) : "r"(key), "r"(lanes));
  return first && (ranks & below) == 0;
}

// Returns the fewest wavefronts that these units need in the lowest lane, and 0 in the others.
__device__ __noinline__ unsigned tilestep_fewest_wavefronts(unsigned unit, unsigned banks,
                                                            unsigned lanes) {
  unsigned below, same, firsts, distinct;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(same) : "r"(unit), "r"(lanes));
  unsigned first = (same & below) == 0;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(firsts)
               : "r"(first), "r"(lanes));
  asm volatile("popc.b32 %0, %1;" : "=r"(distinct) : "r"(firsts));
  unsigned fewest = (distinct + banks - 1) / banks;
  return (lanes & below) == 0 ? fewest : 0u;
}

// Each thread keeps the last pattern in 16 bytes of its local memory (zero at first): the address,
// the lanes that took part and the result. If the same lanes come with addresses that have all
// moved by the same distance, the result is reused.

// Bit 0: this lane is the lowest in its sector; bit 1: it is the lowest at its address.
__device__ __noinline__ unsigned tilestep_known_global(unsigned long long state,
                                                       unsigned long long address, unsigned lanes) {
  unsigned long long at;
  unsigned known, seen, agree, word = 0;
  asm volatile("ld.local.u64 %0, [%1];" : "=l"(at) : "l"(state) : "memory");
  asm volatile("ld.local.u32 %0, [%1+8];" : "=r"(known) : "l"(state) : "memory");
  asm volatile("ld.local.u32 %0, [%1+12];" : "=r"(seen) : "l"(state) : "memory");
  unsigned long long moved = address - at;
  asm volatile("{ .reg .pred p; .reg .b32 m; match.all.sync.b64 m|p, %1, %2; "
               "selp.u32 %0, 1, 0, p; }"
               : "=r"(agree)
               : "l"(moved), "r"(lanes));
  // Distances that are not whole words (narrow accesses) are analysed afresh.
  unsigned same = tilestep_all(agree != 0 && known == lanes && (moved & 3) == 0, lanes);
  if (same != 0) {
    word = static_cast<unsigned>(moved >> 2) & 7u;
  } else {
    asm volatile("st.local.u64 [%0], %1;" ::"l"(state), "l"(address) : "memory");
    asm volatile("st.local.u32 [%0+8], %1;" ::"l"(state), "r"(lanes) : "memory");
  }
  if (same == 0 || (seen >> (8 + word) & 1u) == 0) {
    seen = tilestep_look_global(address, lanes, seen, word, same);
    asm volatile("st.local.u32 [%0+12], %1;" ::"l"(state), "r"(seen) : "memory");
  }
  return (seen >> word & 1u) | (seen >> 16 & 1u) << 1;
}

// Bit 0: this lane is the lowest of its wavefront. In the lowest lane, the bits above it are the
// fewest wavefronts, if units are wider than 4 bytes.
__device__ __noinline__ unsigned tilestep_known_shared(unsigned long long state, unsigned unit,
                                                       unsigned banks, unsigned lanes) {
  unsigned at, known, found, agree;
  asm volatile("ld.local.u32 %0, [%1];" : "=r"(at) : "l"(state) : "memory");
  asm volatile("ld.local.u32 %0, [%1+8];" : "=r"(known) : "l"(state) : "memory");
  asm volatile("ld.local.u32 %0, [%1+12];" : "=r"(found) : "l"(state) : "memory");
  asm volatile("{ .reg .pred p; .reg .b32 m; match.all.sync.b32 m|p, %1, %2; "
               "selp.u32 %0, 1, 0, p; }"
               : "=r"(agree)
               : "r"(unit - at), "r"(lanes));
  if (tilestep_all(agree != 0 && known == lanes, lanes) != 0) return found;
  found = tilestep_first_in_wavefront(unit, banks, lanes);
  if (banks != 32) found |= tilestep_fewest_wavefronts(unit, banks, lanes) << 1;
  asm volatile("st.local.u32 [%0], %1;" ::"l"(state), "r"(unit) : "memory");
  asm volatile("st.local.u32 [%0+8], %1;" ::"l"(state), "r"(lanes) : "memory");
  asm volatile("st.local.u32 [%0+12], %1;" ::"l"(state), "r"(found) : "memory");
  return found;
}

// What one access of a lap counts (src/ptx/analysis/laps.h). All lanes of `all` compute it together
// afterwards; `lanes` of them made the access. The low 16 bits of the result are sectors or wavefronts,
// and the high bits distinct addresses or the fewest wavefronts; all lanes get the same result.

__device__ __noinline__ unsigned tilestep_lap_global(unsigned long long address, unsigned lanes,
                                                     unsigned all) {
  unsigned lane, seen = 0;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  if ((lanes >> lane & 1u) != 0) seen = tilestep_look_global(address, lanes, 0, 0, 0);
  unsigned sectors = tilestep_ones(tilestep_ballot(seen & 1u, all));
  unsigned distinct = tilestep_ones(tilestep_ballot(seen >> 16 & 1u, all));
  return sectors | distinct << 16;
}

// `width` is the size of a unit in bytes (4, 8 or 16).
__device__ __noinline__ unsigned tilestep_lap_shared(unsigned long long address, unsigned lanes,
                                                     unsigned all, unsigned width) {
  unsigned lane, first = 0, fewest = 0;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  unsigned unit = static_cast<unsigned>(address) / width;
  if ((lanes >> lane & 1u) != 0) {
    first = tilestep_first_in_wavefront(unit, 128 / width, lanes);
    if (width != 4) fewest = tilestep_fewest_wavefronts(unit, 128 / width, lanes);
  }
  unsigned wavefronts = tilestep_ones(tilestep_ballot(first, all));
  unsigned sum = tilestep_ones(tilestep_ballot(fewest & 1u, all)) +
                 tilestep_ones(tilestep_ballot(fewest & 2u, all)) * 2 +
                 tilestep_ones(tilestep_ballot(fewest & 4u, all)) * 4;
  return wavefronts | sum << 16;
}

// Returns the sum of `value` over `lanes`, which is valid in the lowest lane. Loops are not
// unrolled, because this runs seldom and the driver compiles it for every kernel.
static __device__ unsigned long long tilestep_sum(unsigned long long value, unsigned lanes,
                                                  unsigned lane) {
  unsigned long long total = value;
  unsigned low, high;
  // Usually all lanes have the same value, or some have 1 and the others 0.
  const unsigned one = static_cast<unsigned>(value);
  if (tilestep_all(value == tilestep_from(one, tilestep_lowest(lanes), lanes), lanes) != 0) {
    return value * tilestep_ones(lanes);
  }
  if (tilestep_all(value < 2, lanes) != 0) return tilestep_ones(tilestep_ballot(one, lanes));
  if ((lanes & (lanes + 1)) == 0) {
    // For lanes 0 to n - 1: a tree that skips the missing lanes.
#pragma unroll 1
    for (unsigned step = 16; step > 0; step >>= 1) {
      asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, %3;"
                   : "=r"(low)
                   : "r"(static_cast<unsigned>(total)), "r"(step), "r"(lanes));
      asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, %3;"
                   : "=r"(high)
                   : "r"(static_cast<unsigned>(total >> 32)), "r"(step), "r"(lanes));
      bool there = lane + step < 32 && (lanes >> (lane + step) & 1u) != 0;
      if (there) total += static_cast<unsigned long long>(high) << 32 | low;
    }
    return total;
  }
  total = 0;
#pragma unroll 1
  for (unsigned from = 0; from < 32; ++from) {
    if ((lanes >> from & 1u) == 0) continue;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;"
                 : "=r"(low)
                 : "r"(static_cast<unsigned>(value)), "r"(from), "r"(lanes));
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;"
                 : "=r"(high)
                 : "r"(static_cast<unsigned>(value >> 32)), "r"(from), "r"(lanes));
    total += static_cast<unsigned long long>(high) << 32 | low;
  }
  return total;
}

static __device__ void tilestep_add(unsigned long long* cell, unsigned long long value) {
  asm volatile("red.global.add.u64 [%0], %1;" ::"l"(cell), "l"(value) : "memory");
}

// Adds a run: `value` in each of the epochs start, start + period, ... last. The cells of a period
// hold differences: the host adds up every period-th cell. Epochs past the table are summed in its
// last row, which holds plain sums.
static __device__ void tilestep_add_run(unsigned column, unsigned start, unsigned last,
                                        unsigned period, unsigned long long value) {
  unsigned x, y, width;
  asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(x));
  asm volatile("mov.u32 %0, %%ctaid.y;" : "=r"(y));
  asm volatile("mov.u32 %0, %%nctaid.x;" : "=r"(width));
  unsigned copy = (x + y * width) % TILESTEP_COPIES;
  const unsigned long long table = copy * TILESTEP_PERIODS + (period - 1);
  unsigned long long* cells =
      tilestep_table.cells + table * TILESTEP_EPOCHS * tilestep_table.columns + column;
  const unsigned columns = tilestep_table.columns;
  const unsigned lastRow = TILESTEP_EPOCHS - 1;
  if (start < lastRow) tilestep_add(cells + start * columns, value);
  if (last + period < lastRow) tilestep_add(cells + (last + period) * columns, 0 - value);
  if (last >= lastRow) {
    unsigned firstBeyond =
        start >= lastRow ? start : start + (lastRow - start + period - 1) / period * period;
    unsigned long long beyond = (last - firstBeyond) / period + 1;
    if (firstBeyond <= last) tilestep_add(cells + lastRow * columns, value * beyond);
  }
}

// Adds every active lane's run of one column; lanes with the same run are summed first.
__device__ __noinline__ void tilestep_emit(unsigned column, unsigned start, unsigned last,
                                           unsigned period, unsigned value) {
  unsigned lanes, lane, any, agree;
  asm volatile("activemask.b32 %0;" : "=r"(lanes));
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.any.pred p, p, %2; "
               "selp.u32 %0, 1, 0, p; }"
               : "=r"(any)
               : "r"(value), "r"(lanes));
  if (any == 0) return;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  if (period == 0) period = 1;
  unsigned long long run = (static_cast<unsigned long long>(start) << 32 | last) * 16 + period;
  asm volatile("{ .reg .pred p; .reg .b32 m; match.all.sync.b64 m|p, %1, %2; "
               "selp.u32 %0, 1, 0, p; }"
               : "=r"(agree)
               : "l"(run), "r"(lanes));
  unsigned long long sum = value;
  if (agree != 0) {
    sum = tilestep_sum(value, lanes, lane);
    if ((lanes & ((1u << lane) - 1)) != 0) sum = 0;
  }
  if (sum != 0) tilestep_add_run(column, start, last, period, sum);
}

// Writes out the run of laps before the one that begins at `epoch`, if any. A thread keeps the run
// in its local memory: its first epoch and, from byte 8 on, what each cell of `table` (barriers
// passed in the lap << 16 | column) counts in one lap. The counts are the same in all of `lanes`,
// which divide the cells among themselves.
__device__ __noinline__ void tilestep_lap_end(unsigned long long run, unsigned long long table,
                                              unsigned cells, unsigned period, unsigned epoch,
                                              unsigned lanes) {
  unsigned start, below;
  asm volatile("ld.local.u32 %0, [%1];" : "=r"(start) : "l"(run) : "memory");
  if (start == epoch) return;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  unsigned step = tilestep_ones(lanes);
#pragma unroll 1
  for (unsigned i = tilestep_ones(lanes & below); i < cells; i += step) {
    unsigned cell;
    unsigned long long value;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(cell) : "l"(table + 4 * i) : "memory");
    asm volatile("ld.local.u64 %0, [%1];" : "=l"(value) : "l"(run + 8 + 8 * i) : "memory");
    unsigned passed = cell >> 16;
    if (value != 0) {
      tilestep_add_run(cell & 0xffffu, start + passed, epoch - period + passed, period, value);
    }
  }
}

// Reports how far this warp came.
__device__ __noinline__ void tilestep_finish(unsigned epoch) {
  unsigned seen;
  asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(seen) : "l"(&tilestep_table.greatestEpoch));
  if (seen >= epoch) return;
  asm volatile("red.global.max.u32 [%0], %1;" ::"l"(&tilestep_table.greatestEpoch), "r"(epoch)
               : "memory");
}

}  // extern "C"
