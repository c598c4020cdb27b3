// SPDX-License-Identifier: Apache-2.0
#include "unit/trace/toy_kernels.h"

#include <span>
#include <vector>

namespace tilestep::trace::toy {
Author::Author(uint32_t width, uint32_t height) : width_(width), threads_(width * height) {
  recording->blockShape = {width, height, 1};
  recording->device = "simt";
}

void Author::event(uint32_t warp, uint32_t instruction, uint32_t line, Operation operation,
                   Space space, int16_t buffer, const Lane& lane) {
  TraceEvent e;
  std::vector<uint32_t> offsets;
  std::vector<float> values;
  for (uint32_t i = 0; i < 32 && warp * 32 + i < threads_; ++i) {
    const uint32_t thread = warp * 32 + i;
    uint32_t offset = 0;
    float value = 0;
    if (!lane(thread % width_, thread / width_, offset, value)) continue;
    e.mask |= 1U << i;
    offsets.push_back(offset);
    values.push_back(value);
  }
  const bool isBarrier = operation == Operation::barrier;
  if (e.mask == 0) return;
  e.epoch = epoch_[warp];
  e.warp = warp;
  e.sequence = sequence_[warp]++;
  e.instruction = instruction;
  e.line = line;
  e.operation = operation;
  e.space = space;
  e.buffer = buffer;
  e.width = isBarrier ? 0 : 4;
  if (!isBarrier && operation != Operation::accumulate) e.offsets = offsets;
  if (!isBarrier) e.values = std::as_bytes(std::span(values));
  recording->append(e);
  if (isBarrier) ++epoch_[warp];
}

void Author::barrier(uint32_t warp, uint32_t instruction, uint32_t line) {
  event(warp, instruction, line, Operation::barrier, Space::none, -1,
        [](uint32_t, uint32_t, uint32_t&, float&) { return true; });
}

std::shared_ptr<BlockTrace> tiled(uint32_t size, uint32_t tile, bool swapped) {
  Author author(tile, tile);
  BlockTrace& recording = *author.recording;
  const uint32_t bytes = tile * tile * 4;
  recording.sharedArrays = {{"Mds", 0, bytes, tile}, {"Nds", bytes, bytes, tile}};
  recording.accumulators = 1;
  recording.feeds = {{tStoreM, tLoadM}, {tStoreN, tLoadN}, {tSum, tReadM}, {tSum, tReadN}};
  recording.sumStores = {{0, tWrite}};
  const auto slot = [&](uint32_t row, uint32_t col) { return (row * tile + col) * 4; };
  const auto home = [&](uint32_t x, uint32_t y) { return swapped ? slot(x, y) : slot(y, x); };
  const uint32_t phases = (size + tile - 1) / tile;
  for (uint32_t warp = 0; warp < author.warps(); ++warp) {
    std::vector<float> sums(tile * tile, 0.0F);
    for (uint32_t ph = 0; ph < phases; ++ph) {
      const auto m = [&](uint32_t x, uint32_t y, uint32_t& at, float& value) {
        at = (y * size + ph * tile + x) * 4;
        value = elementM(size, y, ph * tile + x);
        return y < size && ph * tile + x < size;
      };
      const auto n = [&](uint32_t x, uint32_t y, uint32_t& at, float& value) {
        at = ((ph * tile + y) * size + x) * 4;
        value = elementN(size, ph * tile + y, x);
        return ph * tile + y < size && x < size;
      };
      author.event(warp, tLoadM, 10, Operation::load, Space::global, kM, m);
      author.event(warp, tStoreM, 10, Operation::store, Space::shared, kMds,
                   [&](uint32_t x, uint32_t y, uint32_t& at, float& value) {
                     if (!m(x, y, at, value)) value = 0;
                     at = home(x, y);
                     return true;
                   });
      author.event(warp, tLoadN, 11, Operation::load, Space::global, kN, n);
      author.event(warp, tStoreN, 11, Operation::store, Space::shared, kNds,
                   [&](uint32_t x, uint32_t y, uint32_t& at, float& value) {
                     if (!n(x, y, at, value)) value = 0;
                     at = slot(y, x);
                     return true;
                   });
      author.barrier(warp, tReady, 12);
      for (uint32_t k = 0; k < tile; ++k) {
        const uint32_t column = ph * tile + k;
        const auto left = [&](uint32_t y) {
          return y < size && column < size ? elementM(size, y, column) : 0.0F;
        };
        const auto top = [&](uint32_t x) {
          return x < size && column < size ? elementN(size, column, x) : 0.0F;
        };
        author.event(warp, tReadM, 14, Operation::load, Space::shared, kMds,
                     [&](uint32_t, uint32_t y, uint32_t& at, float& value) {
                       at = home(k, y);
                       value = left(y);
                       return true;
                     });
        author.event(warp, tReadN, 14, Operation::load, Space::shared, kNds,
                     [&](uint32_t x, uint32_t, uint32_t& at, float& value) {
                       at = slot(k, x);
                       value = top(x);
                       return true;
                     });
        author.event(warp, tSum, 14, Operation::accumulate, Space::none, 0,
                     [&](uint32_t x, uint32_t y, uint32_t&, float& value) {
                       value = sums[y * tile + x] += left(y) * top(x);
                       return true;
                     });
      }
      author.barrier(warp, tDone, 15);
    }
    author.event(warp, tWrite, 17, Operation::store, Space::global, kP,
                 [&](uint32_t x, uint32_t y, uint32_t& at, float& value) {
                   at = (y * size + x) * 4;
                   value = sums[y * tile + x];
                   return x < size && y < size;
                 });
  }
  recording.finish();
  return author.recording;
}

std::shared_ptr<BlockTrace> naive(uint32_t size, uint32_t width, uint32_t height) {
  Author author(width, height);
  BlockTrace& recording = *author.recording;
  recording.accumulators = 1;
  recording.feeds = {{nSum, nLoadM}, {nSum, nLoadN}};
  recording.sumStores = {{0, nWrite}};
  for (uint32_t warp = 0; warp < author.warps(); ++warp) {
    std::vector<float> sums(width * height, 0.0F);
    const auto inside = [&](uint32_t x, uint32_t y) { return x < size && y < size; };
    for (uint32_t k = 0; k < size; ++k) {
      author.event(warp, nLoadM, 5, Operation::load, Space::global, kM,
                   [&](uint32_t x, uint32_t y, uint32_t& at, float& value) {
                     at = (y * size + k) * 4;
                     value = elementM(size, y, k);
                     return inside(x, y);
                   });
      author.event(warp, nLoadN, 5, Operation::load, Space::global, kN,
                   [&](uint32_t x, uint32_t y, uint32_t& at, float& value) {
                     at = (k * size + x) * 4;
                     value = elementN(size, k, x);
                     return inside(x, y);
                   });
      author.event(warp, nSum, 5, Operation::accumulate, Space::none, 0,
                   [&](uint32_t x, uint32_t y, uint32_t&, float& value) {
                     value = sums[y * width + x] += elementM(size, y, k) * elementN(size, k, x);
                     return inside(x, y);
                   });
    }
    author.event(warp, nWrite, 6, Operation::store, Space::global, kP,
                 [&](uint32_t x, uint32_t y, uint32_t& at, float& value) {
                   at = (y * size + x) * 4;
                   value = sums[y * width + x];
                   return inside(x, y);
                 });
  }
  recording.finish();
  return author.recording;
}

}  // namespace tilestep::trace::toy
