// SPDX-License-Identifier: Apache-2.0
// Converts the warps' records to a timeline, and validates all of them.
#include <algorithm>
#include <numeric>

#include "device/cuda/trace/clocks.h"

namespace tilestep::cuda {
namespace {

using ptx::ClockTable;
using Record = ClockTable::Record;
using trace::Timeline;

Error broken(const std::string& what) {
  return workError("The clocks that the GPU read do not form a timeline: " + what + ".");
}

class Decoder {
 public:
  Decoder(const std::vector<Record>& records, const std::vector<uint64_t>& cells,
          const ClockShape& shape, uint32_t multiprocessors)
      : records_(records), cells_(cells), shape_(shape) {
    t_.multiprocessors = multiprocessors;
    t_.warpsPerBlock = shape.warpsPerBlock;
  }

  Result<Timeline> decode(uint64_t tickNs) {
    if (Status s = checkRecords(); !s) return s.error();
    if (Status s = numberMultiprocessors(); !s) return s.error();
    for (uint32_t b = 0; b < shape_.blocks; ++b) {
      if (Status s = addBlock(b); !s) return s.error();
    }
    finishTimes(tickNs);
    addEpochs();
    return std::move(t_);
  }

 private:
  Status checkRecords() {
    if (records_.size() != size_t{shape_.blocks} * shape_.warpsPerBlock || records_.empty() ||
        cells_.size() != size_t{shape_.rows()} * shape_.barriers) {
      return broken("the table's size does not match the launch");
    }
    firstNs_ = records_.front().startNs;
    for (const Record& r : records_) {
      if (r.smPlusOne == 0) return broken("a warp never began");
      if (r.endNs < r.startNs || r.endCycle < r.startCycle) {
        return broken("a warp never ended, or a clock ran backward");
      }
      if (r.endCycle - r.startCycle > UINT32_MAX) {
        return broken("a warp ran for more than 2^32 cycles; choose smaller sizes");
      }
      if (r.waitCycles > r.endCycle - r.startCycle) {
        return broken("a warp waited longer than it ran");
      }
      if (r.barriers > shape_.barriers) {
        return broken("the kernel passes more barriers in one run than in another");
      }
      firstNs_ = std::min(firstNs_, r.startNs);
      longest_ = std::max(longest_, r.endCycle - r.startCycle);
    }
    return {};
  }

  // The multiprocessors' numbers have gaps on some GPUs, so they are replaced by ranks.
  Status numberMultiprocessors() {
    for (const Record& r : records_) sms_.push_back(r.smPlusOne - 1);
    std::sort(sms_.begin(), sms_.end());
    sms_.erase(std::unique(sms_.begin(), sms_.end()), sms_.end());
    if (sms_.size() > t_.multiprocessors) {
      return broken("blocks ran on " + std::to_string(sms_.size()) + " of " +
                    std::to_string(t_.multiprocessors) + " multiprocessors");
    }
    if (sms_.back() < t_.multiprocessors) {
      sms_.resize(t_.multiprocessors);
      std::iota(sms_.begin(), sms_.end(), 0U);
    }
    firstCycle_.assign(t_.multiprocessors, UINT64_MAX);
    lastCycle_.assign(t_.multiprocessors, 0);
    return {};
  }

  Status addBlock(uint32_t block) {
    const Record* warps = &records_[size_t{block} * shape_.warpsPerBlock];
    const auto sm = static_cast<uint32_t>(
        std::lower_bound(sms_.begin(), sms_.end(), warps->smPlusOne - 1) - sms_.begin());
    uint64_t startNs = UINT64_MAX, endNs = 0, resident = 0, wait = 0, startCycle = UINT64_MAX,
             endCycle = 0;
    for (uint32_t w = 0; w < shape_.warpsPerBlock; ++w) {
      const Record& r = warps[w];
      if (r.smPlusOne != warps->smPlusOne) {
        return broken("a block ran on two multiprocessors");
      }
      startNs = std::min(startNs, r.startNs);
      endNs = std::max(endNs, r.endNs);
      startCycle = std::min(startCycle, r.startCycle);
      endCycle = std::max(endCycle, r.endCycle);
      resident += r.endCycle - r.startCycle;
      wait += r.waitCycles;
    }
    firstCycle_[sm] = std::min(firstCycle_[sm], startCycle);
    lastCycle_[sm] = std::max(lastCycle_[sm], endCycle);
    cycles_ += static_cast<double>(endCycle - startCycle);
    nanoseconds_ += static_cast<double>(endNs - startNs);
    t_.sm.push_back(sm);
    t_.startNs.push_back(startNs - firstNs_);
    t_.endNs.push_back(endNs - firstNs_);
    t_.busyWarpCycles.push_back(resident - wait);
    t_.waitWarpCycles.push_back(wait);
    return {};
  }

  void finishTimes(uint64_t tickNs) {
    tickNs = commonStep(t_.startNs, tickNs);
    tickNs = commonStep(t_.endNs, tickNs);
    t_.tickNs = static_cast<uint32_t>(std::min<uint64_t>(tickNs, UINT32_MAX));
    t_.clockMhz = nanoseconds_ > 0 ? cycles_ / nanoseconds_ * 1000 : 0;
    for (uint32_t s = 0; s < t_.multiprocessors; ++s) {
      t_.activeCycles.push_back(lastCycle_[s] > firstCycle_[s] ? lastCycle_[s] - firstCycle_[s]
                                                               : 0);
    }
  }

  // The last epoch has no cell, because it ends with the warp; it is the remaining time.
  void addEpochs() {
    t_.epochs = shape_.barriers + 1;
    if (longest_ >= ClockTable::kMostCellCycles) return;
    t_.epochStep = 1U << shape_.rowShift;
    for (uint32_t row = 0; row < shape_.rows(); ++row) {
      uint64_t cellBusy = 0;
      for (uint32_t b = 0; b < shape_.barriers; ++b) {
        const uint64_t cell = cells_[size_t{row} * shape_.barriers + b];
        t_.epochBusy.push_back(static_cast<uint32_t>(cell));
        t_.epochWait.push_back(static_cast<uint32_t>(cell >> 32));
        cellBusy += static_cast<uint32_t>(cell);
      }
      const uint64_t busy = t_.busyWarpCycles[size_t{row} << shape_.rowShift];
      t_.epochBusy.push_back(static_cast<uint32_t>(busy - std::min(busy, cellBusy)));
      t_.epochWait.push_back(0);
    }
  }

  const std::vector<Record>& records_;
  const std::vector<uint64_t>& cells_;
  const ClockShape& shape_;
  Timeline t_;
  uint64_t firstNs_ = 0, longest_ = 0;
  std::vector<uint32_t> sms_;  ///< %smid by multiprocessor.
  std::vector<uint64_t> firstCycle_, lastCycle_;
  double cycles_ = 0, nanoseconds_ = 0;
};

}  // namespace

uint32_t ClockShape::rows() const {
  return static_cast<uint32_t>(ceilDiv(blocks, uint64_t{1} << rowShift));
}

ClockShape ClockShape::of(uint32_t blocks, uint32_t warpsPerBlock, uint32_t barriers) {
  ClockShape shape{blocks, warpsPerBlock, barriers, 0};
  const auto bytes = [&] { return uint64_t{shape.rows()} * (uint64_t{barriers} + 1) * 8; };
  while (bytes() > Timeline::kEpochCapBytes && shape.rows() > 1) ++shape.rowShift;
  return shape;
}

uint64_t commonStep(const std::vector<uint64_t>& values, uint64_t tick) {
  for (size_t i = 1; i < values.size(); ++i) {
    const uint64_t a = values[i - 1], b = values[i];
    tick = std::gcd(tick, a > b ? a - b : b - a);
  }
  return tick;
}

Result<Timeline> decodeClocks(const std::vector<Record>& records,
                              const std::vector<uint64_t>& cells, const ClockShape& shape,
                              uint32_t multiprocessors, uint64_t tickNs) {
  return Decoder(records, cells, shape, multiprocessors).decode(tickNs);
}

}  // namespace tilestep::cuda
