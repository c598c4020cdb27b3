// SPDX-License-Identifier: Apache-2.0
// Groups of threads that know their size and can synchronise (CUDA C++ Programming Guide,
// "Cooperative Groups"): blocks, tiles of at most 32 threads, the lanes that run together, the
// whole grid.
#pragma once

#define TILESTEP_MEMBER __attribute__((device, always_inline, nodebug))

// How many blocks have come to the barrier of the grid. The first block's arrival adds what makes
// the top bit turn over, and all other bits zero again, when the last one has come.
static __attribute__((device)) unsigned int tilestep_grid_arrivals;

namespace cooperative_groups {

TILESTEP_INLINE unsigned int tilestep_linear(dim3 index, dim3 of) {
  return (index.z * of.y + index.y) * of.x + index.x;
}

class thread_block {
 public:
  static TILESTEP_MEMBER void sync() { __syncthreads(); }
  static TILESTEP_MEMBER unsigned int thread_rank() { return tilestep_linear(threadIdx, blockDim); }
  static TILESTEP_MEMBER unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
  static TILESTEP_MEMBER unsigned int num_threads() { return size(); }
  static TILESTEP_MEMBER dim3 group_index() { return blockIdx; }
  static TILESTEP_MEMBER dim3 thread_index() { return threadIdx; }
  static TILESTEP_MEMBER dim3 dim_threads() { return blockDim; }
  static TILESTEP_MEMBER dim3 group_dim() { return blockDim; }
};

TILESTEP_INLINE thread_block this_thread_block() {
  return {};
}

// The lanes of a warp in `mask_`: the common part of tiles and coalesced groups.
class tilestep_lanes {
 public:
  TILESTEP_MEMBER void sync() const { __syncwarp(mask_); }
  TILESTEP_MEMBER int any(int p) const { return __any_sync(mask_, p); }
  TILESTEP_MEMBER int all(int p) const { return __all_sync(mask_, p); }
  TILESTEP_MEMBER unsigned int meta_group_rank() const { return metaRank_; }
  TILESTEP_MEMBER unsigned int meta_group_size() const { return metaSize_; }
  TILESTEP_MEMBER unsigned int tilestep_mask() const { return mask_; }

 protected:
  TILESTEP_MEMBER tilestep_lanes(unsigned int mask, unsigned int metaRank, unsigned int metaSize)
      : mask_(mask), metaRank_(metaRank), metaSize_(metaSize) {}
  unsigned int mask_, metaRank_, metaSize_;
};

template <unsigned int kSize, class Parent = void>
class thread_block_tile : public tilestep_lanes {
  static_assert(
      kSize <= 32 && (kSize & (kSize - 1)) == 0,
      "a tile has 1, 2, 4, 8, 16 or 32 threads; larger ones need the CUDA Toolkit (NVRTC)");

 public:
  // Part of a block or of a larger tile; each thread has its rank in it.
  TILESTEP_MEMBER thread_block_tile(unsigned int rankInParent, unsigned int sizeOfParent)
      : tilestep_lanes(maskHere(), rankInParent / kSize, (sizeOfParent + kSize - 1) / kSize) {}
  // The parent type may be dropped.
  template <class Other>
  TILESTEP_MEMBER thread_block_tile(const thread_block_tile<kSize, Other>& other)
      : tilestep_lanes(other) {}

  static TILESTEP_MEMBER unsigned int thread_rank() { return __lane_id() % kSize; }
  static TILESTEP_MEMBER constexpr unsigned int size() { return kSize; }
  static TILESTEP_MEMBER constexpr unsigned int num_threads() { return kSize; }
  template <class T>
  TILESTEP_MEMBER T shfl(T v, int rank) const {
    return __shfl_sync(mask_, v, rank, kSize);
  }
  template <class T>
  TILESTEP_MEMBER T shfl_up(T v, unsigned int by) const {
    return __shfl_up_sync(mask_, v, by, kSize);
  }
  template <class T>
  TILESTEP_MEMBER T shfl_down(T v, unsigned int by) const {
    return __shfl_down_sync(mask_, v, by, kSize);
  }
  template <class T>
  TILESTEP_MEMBER T shfl_xor(T v, unsigned int lanes) const {
    return __shfl_xor_sync(mask_, v, (int)lanes, kSize);
  }
  TILESTEP_MEMBER unsigned int ballot(int p) const { return here(__ballot_sync(mask_, p)); }
  template <class T>
  TILESTEP_MEMBER unsigned int match_any(T v) const {
    return here(__match_any_sync(mask_, v));
  }
  template <class T>
  TILESTEP_MEMBER unsigned int match_all(T v, int& all) const {
    return here(__match_all_sync(mask_, v, &all));
  }

 private:
  static constexpr unsigned int kOnes = kSize == 32 ? 0xffffffffu : (1u << kSize % 32) - 1;
  static TILESTEP_MEMBER unsigned int first() { return __lane_id() & ~(kSize - 1); }
  static TILESTEP_MEMBER unsigned int maskHere() { return kOnes << first(); }
  // Bit 0 is the tile's first lane.
  static TILESTEP_MEMBER unsigned int here(unsigned int lanes) {
    return (lanes >> first()) & kOnes;
  }
};

template <unsigned int kSize>
TILESTEP_INLINE thread_block_tile<kSize, thread_block> tiled_partition(const thread_block& block) {
  return {block.thread_rank(), block.size()};
}
template <unsigned int kSize, unsigned int kOf, class Parent>
TILESTEP_INLINE thread_block_tile<kSize, thread_block_tile<kOf, Parent>> tiled_partition(
    const thread_block_tile<kOf, Parent>& tile) {
  static_assert(kSize <= kOf, "a tile is no larger than the one that it is a part of");
  return {tile.thread_rank(), kOf};
}

class coalesced_group : public tilestep_lanes {
 public:
  TILESTEP_MEMBER explicit coalesced_group(unsigned int mask) : tilestep_lanes(mask, 0, 1) {}

  TILESTEP_MEMBER unsigned int thread_rank() const {
    return (unsigned int)__popc(mask_ & ((1u << __lane_id()) - 1));
  }
  TILESTEP_MEMBER unsigned int size() const { return (unsigned int)__popc(mask_); }
  TILESTEP_MEMBER unsigned int num_threads() const { return size(); }
  template <class T>
  TILESTEP_MEMBER T shfl(T v, unsigned int rank) const {
    return __shfl_sync(mask_, v, lane(rank < size() ? rank : 0));
  }
  template <class T>
  TILESTEP_MEMBER T shfl_up(T v, unsigned int by) const {
    const unsigned int rank = thread_rank();
    return __shfl_sync(mask_, v, lane(rank < by ? rank : rank - by));
  }
  template <class T>
  TILESTEP_MEMBER T shfl_down(T v, unsigned int by) const {
    const unsigned int rank = thread_rank();
    return __shfl_sync(mask_, v, lane(rank + by < size() ? rank + by : rank));
  }
  // Bit 0 is the group's first lane.
  TILESTEP_MEMBER unsigned int ballot(int p) const {
    const unsigned int lanes = __ballot_sync(mask_, p);
    unsigned int ranks = 0;
    for (unsigned int left = mask_, bit = 1; left != 0; left &= left - 1, bit <<= 1) {
      if (lanes & left & (0u - left)) ranks |= bit;
    }
    return ranks;
  }

 private:
  TILESTEP_MEMBER int lane(unsigned int rank) const {
    unsigned int left = mask_;
    for (; rank > 0; --rank) left &= left - 1;
    return __ffs((int)left) - 1;
  }
};

TILESTEP_INLINE coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

class grid_group {
 public:
  // Only cooperative launches have a word that counts blocks, and its address.
  static TILESTEP_MEMBER bool is_valid() {
    unsigned int high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    return (high | low) != 0;
  }
  static TILESTEP_MEMBER unsigned long long thread_rank() {
    return (unsigned long long)block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static TILESTEP_MEMBER unsigned long long size() {
    return (unsigned long long)num_blocks() * thread_block::size();
  }
  static TILESTEP_MEMBER unsigned long long num_threads() { return size(); }
  static TILESTEP_MEMBER unsigned int block_rank() { return tilestep_linear(blockIdx, gridDim); }
  static TILESTEP_MEMBER unsigned int num_blocks() { return gridDim.x * gridDim.y * gridDim.z; }
  static TILESTEP_MEMBER dim3 block_index() { return blockIdx; }
  static TILESTEP_MEMBER dim3 dim_blocks() { return gridDim; }
  static TILESTEP_MEMBER dim3 group_dim() { return gridDim; }
  static TILESTEP_MEMBER void sync() {
    if (!is_valid()) __trap();
    __syncthreads();
    if (thread_block::thread_rank() == 0) {
      constexpr unsigned int kTurn = 0x80000000u;
      const unsigned int mine = block_rank() == 0 ? kTurn - (num_blocks() - 1) : 1;
      __threadfence();
      const unsigned int before = atomicAdd(&tilestep_grid_arrivals, mine);
      const volatile unsigned int* now = &tilestep_grid_arrivals;
      while (((before ^ *now) & kTurn) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
  }
};

TILESTEP_INLINE grid_group this_grid() {
  return {};
}

// Any group within a block, for functions that accept all of them.
class thread_group {
 public:
  TILESTEP_MEMBER thread_group(const thread_block& block)
      : rank_(block.thread_rank()), size_(block.size()), mask_(0) {}
  template <unsigned int kSize, class Parent>
  TILESTEP_MEMBER thread_group(const thread_block_tile<kSize, Parent>& tile)
      : rank_(tile.thread_rank()), size_(kSize), mask_(tile.tilestep_mask()) {}
  TILESTEP_MEMBER thread_group(const coalesced_group& group)
      : rank_(group.thread_rank()), size_(group.size()), mask_(group.tilestep_mask()) {}

  TILESTEP_MEMBER unsigned int thread_rank() const { return rank_; }
  TILESTEP_MEMBER unsigned int size() const { return size_; }
  TILESTEP_MEMBER unsigned int num_threads() const { return size_; }
  TILESTEP_MEMBER void sync() const {
    if (mask_ == 0) {
      __syncthreads();
    } else {
      __syncwarp(mask_);
    }
  }
  // `size` is a power of two of at most 32.
  TILESTEP_MEMBER thread_group tilestep_tile(unsigned int size) const {
    const unsigned int ones = size == 32 ? 0xffffffffu : (1u << size) - 1;
    return {rank_ % size, size, ones << (__lane_id() & ~(size - 1))};
  }

 private:
  TILESTEP_MEMBER thread_group(unsigned int rank, unsigned int size, unsigned int mask)
      : rank_(rank), size_(size), mask_(mask) {}
  unsigned int rank_, size_, mask_;  // No mask: the whole block.
};

TILESTEP_INLINE thread_group tiled_partition(const thread_group& group, unsigned int size) {
  return group.tilestep_tile(size);
}

template <class Group>
TILESTEP_INLINE void sync(const Group& group) {
  group.sync();
}
template <class Group>
TILESTEP_INLINE unsigned int thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
TILESTEP_INLINE unsigned int group_size(const Group& group) {
  return group.size();
}

}  // namespace cooperative_groups
#undef TILESTEP_MEMBER
