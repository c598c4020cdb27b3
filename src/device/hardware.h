// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/figure.h"

namespace tilestep::device {

/// One figure read from the hardware's own counters.
struct HardwareFigure {
  std::string name;        ///< Ours: "dram_bytes_read".
  std::string metric;      ///< Nsight Compute's: "dram__bytes_read.sum".
  Unit unit = Unit::none;  ///< count, bytes or ratio (1.0 is 100 %).
  double value = 0;
  bool operator==(const HardwareFigure&) const = default;
};

/// The state of the caches before each pass. Cold: nothing of the operands is in L1 or L2.
enum class CacheState : uint8_t { cold, warm };

/// Hardware counters of all launches of a job together, from replayed passes of the plain kernel.
/// They describe the machine code, so they need not equal counts of PTX. A figure that the chip
/// lacks is absent, never zero.
struct HardwareCounters {
  std::vector<HardwareFigure> figures;
  uint32_t passes = 0;  ///< How often the job was run for them.
  /// As Nsight Compute's default, and unlike a measurement's runs, which keep caches warm.
  CacheState caches = CacheState::cold;
  std::string library;  ///< "CUPTI 13.0"
  /// Why there are none and what to do about it, in one sentence; empty if there are some.
  std::string refused;

  /// The figure of that name; nullptr where absent.
  [[nodiscard]] const HardwareFigure* find(std::string_view name) const {
    for (const HardwareFigure& figure : figures) {
      if (figure.name == name) return &figure;
    }
    return nullptr;
  }
  /// The sum of two figures; nothing where one is absent.
  [[nodiscard]] std::optional<double> sum(std::string_view first, std::string_view second) const {
    const HardwareFigure *a = find(first), *b = find(second);
    return a != nullptr && b != nullptr ? std::optional(a->value + b->value) : std::nullopt;
  }
  bool operator==(const HardwareCounters&) const = default;
};

}  // namespace tilestep::device
