// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/front_matter/plan_attempt.h"
#include "compile/kernel.h"
#include "device/device.h"
#include "features/names.h"
#include "lab/recording/recording.h"
#include "model/choice/sweep_choice.h"

/// Decides which points a sweep has. Pure: nothing runs.
namespace tilestep::features {

/// The most values of an axis, and the most points of a plan.
inline constexpr size_t kMostAxisValues = 64;
inline constexpr size_t kMostSweepPoints = 1024;

struct SweepAxis {
  std::string name;                ///< "TILE_WIDTH", or "n" for sizes.
  std::vector<int64_t> values;     ///< Ascending.
  std::vector<std::string> names;  ///< Names of the values, if they have names.
  bool logarithmic = false;        ///< Doublings are equally spaced.
  bool ofSizes = false;
  /// "8", or the value's name.
  [[nodiscard]] std::string textOf(size_t index) const;
  bool operator==(const SweepAxis&) const = default;
};

/// The origin of the tunables of a rung of the ladder; empty elsewhere.
struct TunablesOrigin {
  std::string name;      ///< A table cell: "best known", "default".
  std::string sentence;  ///< "the best of 191 timed of 37,800 legal, searched at m = n = k = 1024"
};

/// One kernel of the sweep.
struct SweepSeries {
  std::string kernel;  ///< The stem of its file name.
  std::string name;    ///< "tiled", "naive in equal blocks".
  compile::KernelSource source;
  std::shared_ptr<const compile::KernelSpec> spec;
  uint64_t code = 0;  ///< lab::codeHashOf its source.
  bool main = false;  ///< The chosen kernel.
  TunablesOrigin from;
};

/// One cell of the sweep, legal or not.
struct SweepPoint {
  size_t series = 0, column = 0, row = 0;       ///< Indices of the series and into both axes.
  compile::Bindings sizes = {}, tunables = {};  ///< Complete.
  std::string illegal = {};  ///< The reason why it cannot run, in a sentence; otherwise empty.
  /// Identifies the kernel's code, sizes, tunables and launch; empty if illegal.
  std::string key = {};
  uint64_t launch = 0;      ///< lab::launchHashOf its plan.
  double operations = 0;    ///< Floating-point operations.
  uint64_t leastBytes = 0;  ///< Each buffer counted once.
  // Of the first launch:
  uint64_t blocks = 0;
  uint32_t threads = 0;      ///< Per block.
  uint32_t sharedBytes = 0;  ///< Per block, from the front matter.
  Dim3 block = {};           ///< The block's shape.
};

/// Points with equal keys share one measurement per device. `values` are sizes and tunables.
[[nodiscard]] std::string sweepKey(uint64_t code, uint64_t launch, const compile::Bindings& values);
[[nodiscard]] compile::Bindings valuesOf(const SweepPoint& point);

enum class SweepSource : uint8_t { interpreter, live, recording, file };

struct SweepPlan {
  SweepKind kind = SweepKind::tunable;
  SweepSource source = SweepSource::interpreter;
  std::string device, deviceName;  ///< "cuda:0", "NVIDIA H200"
  std::string recordedOn;          ///< The day of the recording; empty for other sources.
  std::string compiler;            ///< "nvrtc 13.0"; empty if unknown.
  SweepAxis x, y;                  ///< `y` has values only in sweeps with two axes.
  std::vector<SweepSeries> series;
  std::vector<SweepPoint> points;  ///< Sorted by series, then row, then column.
  /// The user chose the second series' blocks, whose shape may differ from the first one's.
  bool anyBlocks = false;
  std::string fixed;       ///< Common to all points: "m = n = k = 1024".
  std::string beyond;      ///< The reason why larger values of `x` cannot run; may be empty.
  std::string leftOut;     ///< Kernels that are not included, with the reasons; otherwise empty.
  std::string impossible;  ///< The reason why there is no sweep; otherwise empty.
  std::vector<std::string> axes;  ///< Names of the axes that this kind can have.
  size_t axesAt = 0;              ///< Index of the present axes in `axes`.

  [[nodiscard]] size_t legalPoints() const;
};

/// A kernel and its tunables.
struct SweepKernel {
  const compile::CatalogueEntry* entry = nullptr;  ///< Has a spec.
  compile::Bindings tunables;                      ///< Complete.
  TunablesOrigin from = {};
};

struct SweepInputs {
  SweepKind kind = SweepKind::tunable;
  size_t axes = 0;  ///< The index of the axes, modulo their number.
  SweepKernel main;
  std::optional<SweepKernel> comparison;
  /// Further kernels, for sweeps over sizes.
  std::vector<SweepKernel> others;
  /// The tunables of `comparison` for a given launch of the main kernel; unchanged if null.
  std::function<compile::Bindings(const compile::Plan& main)> comparisonAlong;
  bool blocksAreChosen = false;                ///< Resolved::blocksAreChosen
  compile::Bindings sizes;                     ///< The measured sizes, complete.
  const device::DeviceInfo* device = nullptr;  ///< The device in use.
  /// Set if the device is a recording that is open here.
  const lab::DeviceRecording* recording = nullptr;
  bool file = false;  ///< `device` and `recording` are taken from a file of points.
};

[[nodiscard]] SweepSeries seriesOf(const SweepKernel& kernel, bool main);
/// Fills in the point's values from the plan of its sizes and tunables, and returns that plan; if
/// there is none, fills in the reason why the point cannot run.
std::optional<compile::Plan> fillPoint(SweepPoint& point, const SweepSeries& series,
                                       compile::Planner& planner);

[[nodiscard]] SweepPlan makeSweepPlan(const SweepInputs& inputs);

}  // namespace tilestep::features
