// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <memory>

#include "trace/block_trace.h"

/// Recordings of block (0, 0) of the naive and the tiled product P = M * N with size x size
/// matrices, made by executing the textbook's loops. The elements of M are 1, 2, 3 …, and those of
/// N continue this sequence, so that every value shows which element it is.
namespace tilestep::trace::toy {

// Operands in parameter order.
constexpr int16_t kM = 0, kN = 1, kP = 2;
// Shared arrays.
constexpr int16_t kMds = 0, kNds = 1;
// Instructions of the tiled product.
enum Tiled : uint32_t {
  tLoadM,
  tStoreM,
  tLoadN,
  tStoreN,
  tReady,
  tReadM,
  tReadN,
  tSum,
  tDone,
  tWrite
};
// Instructions of the naive product.
enum Naive : uint32_t { nLoadM, nLoadN, nSum, nWrite };

inline float elementM(uint32_t size, uint32_t row, uint32_t col) {
  return static_cast<float>(row * size + col + 1);
}
inline float elementN(uint32_t size, uint32_t row, uint32_t col) {
  return static_cast<float>(size * size + row * size + col + 1);
}

/// Appends warp events lane by lane.
class Author {
 public:
  /// Returns whether the thread takes part, and sets `offset` and `value`.
  using Lane = std::function<bool(uint32_t x, uint32_t y, uint32_t& offset, float& value)>;

  Author(uint32_t width, uint32_t height);
  [[nodiscard]] uint32_t warps() const { return (threads_ + 31) / 32; }

  void event(uint32_t warp, uint32_t instruction, uint32_t line, Operation operation, Space space,
             int16_t buffer, const Lane& lane);
  void barrier(uint32_t warp, uint32_t instruction, uint32_t line);

  std::shared_ptr<BlockTrace> recording = std::make_shared<BlockTrace>();

 private:
  uint32_t width_, threads_;
  uint32_t epoch_[32] = {};
  uint32_t sequence_[32] = {};
};

/// All threads access the same offset with the same value.
inline Author::Lane everyThread(uint32_t place, float is) {
  return [place, is](uint32_t, uint32_t, uint32_t& at, float& value) {
    at = place;
    value = is;
    return true;
  };
}

/// The tiled product with boundary checks, with blocks of the tile's size. If `swapped`, Mds is
/// written with swapped indices.
std::shared_ptr<BlockTrace> tiled(uint32_t size, uint32_t tile, bool swapped = false);

/// The naive product with a width x height block.
std::shared_ptr<BlockTrace> naive(uint32_t size, uint32_t width, uint32_t height);

inline uint64_t bitsOf(float value) {
  return std::bit_cast<uint32_t>(value);
}

}  // namespace tilestep::trace::toy
