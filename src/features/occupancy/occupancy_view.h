// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/kernel.h"
#include "features/names.h"
#include "lab/devices/what_if.h"
#include "metrics/occupancy.h"
#include "model/choice/appearance.h"
#include "model/timeline_figures.h"
#include "model/view.h"

namespace tilestep::features {

/// A resource of a multiprocessor and its use by the resident blocks.
struct OccupancyBar {
  std::string name;       ///< "threads"
  const char* unit = "";  ///< "B"
  bool known = true;      ///< False if the number of registers is unknown.
  /// This resource prevents another block from fitting.
  bool limits = false;
  uint32_t blocks = 0;  ///< Blocks that would fit if only this resource counted.
  /// `blocks` computed without rounding up and without reserved amounts.
  uint32_t textbookBlocks = 0;
  /// Amounts that one block occupies and requests, and the amount on the multiprocessor.
  uint64_t taken = 0, asked = 0, available = 0;
  std::string why;    ///< The reason why textbookBlocks differs from blocks; empty if they agree.
  std::string hover;  ///< The formula, with this launch's numbers.
};

struct OccupancyPoint {
  double x = 0;
  double ratio = 0;
  std::string hover;  ///< Describes a value that can be chosen; empty for a step function.
};

/// Occupancy as a function of one quantity. All other quantities are fixed.
struct OccupancyCurve {
  enum class Over : uint8_t { tunable, threads, registers, sharedBytes };
  Over over = Over::tunable;
  std::string name;   ///< "TILE_WIDTH", "block size"
  std::string axis;   ///< "threads per block"
  bool steps = true;  ///< A step function; otherwise each point is a value that can be chosen.
  std::vector<OccupancyPoint> points;
  std::optional<double> now;  ///< The present launch's value; absent if unknown.
  std::string note;
};

/// How many blocks of the launch fit on a multiprocessor, and what prevents one more. Computed from
/// the launch and the device's limits.
struct OccupancyView : View {
  static constexpr std::string_view kFeature = "occupancy";
  double ratio = 0;     ///< Resident warps ÷ the most an SM holds.
  std::string limiter;  ///< "registers"
  std::string note;     ///< The device if it is not in use, and what is unknown.
  std::string hover;    ///< Every resource and the number of blocks it allows.
  std::optional<TimelineFigures> achieved;  ///< From the GPU's own clocks; absent until known.
  std::string achievedHover;  ///< Explains the achieved occupancy and how it is measured.

  std::string device;
  /// The limits belong to a known device from its data sheet, not to a device that is present.
  bool fromDataSheet = false;
  std::string block;  ///< "16 × 16"
  uint32_t blocks = 0, warps = 0, warpsMax = 0;
  std::string refusal;  ///< The reason why such a block cannot run on the device; empty if it can.
  lab::Registers registers;
  std::string registersText;
  std::string why;  ///< A sentence that says why one more block does not fit.
  /// The effects of the slider's neighbouring values, with reasons.
  std::vector<std::string> steps;
  std::vector<OccupancyBar> bars;
  std::shared_ptr<const std::vector<OccupancyCurve>> curves;
};

struct OccupancyInputs {
  std::string device;  ///< The device's name.
  metrics::Multiprocessor multiprocessor;
  bool fromDataSheet = false;
  const lab::RunResult* result = nullptr;
  const compile::KernelSpec* spec = nullptr;  ///< Null if there is no curve over a tunable.
  /// The tunable whose slider moved last; empty for the first tunable.
  std::string tunable;
  uint32_t assumedRegisters = 0;  ///< 0 if no number is assumed.
};

/// Pure. May take a few milliseconds, so keep the result while the inputs are unchanged.
[[nodiscard]] OccupancyView occupancyViewOf(const OccupancyInputs& inputs);

}  // namespace tilestep::features
