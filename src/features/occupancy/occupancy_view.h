// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/kernel.h"
#include "lab/devices/what_if.h"
#include "metrics/occupancy.h"
#include "model/choice/appearance.h"
#include "model/timeline_figures.h"
#include "model/view.h"

namespace tilestep::model {

/// One resource of a multiprocessor, and what its resident blocks take of it.
struct OccupancyBar {
  std::string name;                              ///< "threads"
  const char* unit = "";                         ///< "B"
  bool known = true;                             ///< False: registers, where nothing says how many.
  bool limits = false;                           ///< No further block fits because of it.
  uint32_t blocks = 0;                           ///< That this resource alone would allow.
  uint32_t textbookBlocks = 0;                   ///< Likewise, nothing rounded up or reserved.
  uint64_t taken = 0, asked = 0, available = 0;  ///< By one block; of the multiprocessor.
  std::string why;    ///< Why the textbook's limit is another; empty where they agree.
  std::string hover;  ///< The formula, with this launch's numbers.
};

struct OccupancyPoint {
  double x = 0;
  double ratio = 0;
  std::string hover;  ///< Of a value that can be chosen; empty along a curve of steps.
};

/// Occupancy while one thing changes and all else stays.
struct OccupancyCurve {
  enum class Over : uint8_t { tunable, threads, registers, sharedBytes };  ///< kOccupancyCurves.
  Over over = Over::tunable;
  std::string name;   ///< "TILE_WIDTH", "block size"
  std::string axis;   ///< "threads a block"
  bool steps = true;  ///< Each point holds to the next; else values that can be chosen.
  std::vector<OccupancyPoint> points;
  std::optional<double> now;  ///< Where this launch is; nothing where that is unknown.
  std::string note;
};

/// How many blocks of the figures' launch fit on a multiprocessor, and what stops the next one.
/// Computed from the launch and the device's limits.
struct OccupancyView : View {
  static constexpr std::string_view kFeature = "occupancy";
  double ratio = 0;     ///< Resident warps ÷ the most an SM holds.
  std::string limiter;  ///< "registers"
  std::string note;     ///< Of what device where it is not the one in use, and what is unknown.
  std::string hover;    ///< Every resource and the blocks it allows.
  std::optional<TimelineFigures> achieved;  ///< As a GPU's own clocks had it; absent until known.

  std::string device;
  bool fromDataSheet = false;  ///< Of a known device, not of one that is here.
  std::string block;           ///< "16 × 16"
  uint32_t blocks = 0, warps = 0, warpsMax = 0;
  std::string refusal;  ///< Why such a block cannot run there; empty where it can.
  lab::Registers registers;
  std::string registersText;
  std::string why;                 ///< What stops the next block, in a sentence.
  std::vector<std::string> steps;  ///< What the slider's next values would cost, and why.
  std::vector<OccupancyBar> bars;
  std::shared_ptr<const std::vector<OccupancyCurve>> curves;
};

struct OccupancyInputs {
  std::string device;  ///< Its name.
  metrics::Multiprocessor multiprocessor;
  bool fromDataSheet = false;
  const lab::RunResult* result = nullptr;
  const compile::KernelSpec* spec = nullptr;  ///< Null: no curve over a tunable.
  std::string tunable;                        ///< Whose slider moved last; empty: the first.
  uint32_t assumedRegisters = 0;              ///< 0: none assumed.
};

/// Pure. Takes a millisecond or a few: keep it while nothing changes.
[[nodiscard]] OccupancyView occupancyViewOf(const OccupancyInputs& inputs);

}  // namespace tilestep::model
