// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/figure.h"

namespace tilestep::device {

/// One value read from the hardware's counters.
struct HardwareFigure {
  std::string name;        ///< Tilestep's name: "dram_bytes_read".
  std::string metric;      ///< Nsight Compute's name: "dram__bytes_read.sum".
  Unit unit = Unit::none;  ///< count, bytes or ratio (1.0 is 100 %).
  double value = 0;
  bool operator==(const HardwareFigure&) const = default;
};

/// The state of the caches before each pass. Cold: L1 and L2 hold no operand data.
enum class CacheState : uint8_t { cold, warm };

/// Hardware counters of all launches of a job together, from replayed passes of the plain kernel.
/// They describe the machine code, so they may differ from counts of PTX. A value that the chip
/// does not have is absent, never zero.
struct HardwareCounters {
  std::vector<HardwareFigure> figures;
  uint32_t passes = 0;  ///< The number of runs of the job.
  /// Cold by default, as in Nsight Compute. A measurement's runs keep caches warm.
  CacheState caches = CacheState::cold;
  std::string library;  ///< "CUPTI 13.0"
  /// Why there are no counters and what to do about it, in one sentence; empty if there are
  /// counters.
  std::string refused;

  /// The figure of that name; nullptr if absent.
  [[nodiscard]] const HardwareFigure* find(std::string_view name) const {
    for (const HardwareFigure& figure : figures) {
      if (figure.name == name) return &figure;
    }
    return nullptr;
  }
  /// The sum of two figures; nothing if one of them is absent.
  [[nodiscard]] std::optional<double> sum(std::string_view first, std::string_view second) const {
    const HardwareFigure *a = find(first), *b = find(second);
    return a != nullptr && b != nullptr ? std::optional(a->value + b->value) : std::nullopt;
  }
  bool operator==(const HardwareCounters&) const = default;
};

}  // namespace tilestep::device
