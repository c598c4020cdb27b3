// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/kernel.h"
#include "device/device.h"
#include "model/choice/sweep_choice.h"
#include "lab/recording/recording.h"

/// Which points a sweep's picture is made of. Pure: nothing runs.
namespace tilestep::model {

/// Most values of an axis, and most points of a plan.
inline constexpr size_t kMostAxisValues = 64;
inline constexpr size_t kMostSweepPoints = 1024;

struct SweepAxis {
  std::string name;                ///< "TILE_WIDTH", or "n" for sizes.
  std::vector<int64_t> values;     ///< Ascending.
  std::vector<std::string> names;  ///< Of the values, where they have names.
  bool logarithmic = false;        ///< Doublings lie equally far apart.
  bool ofSizes = false;
  /// "8", or the value's name.
  [[nodiscard]] std::string textOf(size_t index) const;
};

/// Where the tunables of a rung of the ladder come from; empty elsewhere.
struct TunablesOrigin {
  std::string name;      ///< "best known", "default": a cell of a table.
  std::string sentence;  ///< "the best of 191 timed of 37,800 legal, searched at m = n = k = 1024"
};

/// One kernel of the picture.
struct SweepSeries {
  std::string kernel;  ///< Its file's stem.
  std::string name;    ///< "tiled", "naive, its blocks of the same shape".
  compile::KernelSource source;
  std::shared_ptr<const compile::KernelSpec> spec;
  uint64_t code = 0;  ///< lab::codeHashOf its source.
  bool main = false;  ///< The chosen kernel.
  TunablesOrigin from;
};

/// One cell of the picture, legal or not.
struct SweepPoint {
  size_t series = 0, column = 0, row = 0;  ///< Index of the series and into both axes.
  compile::Bindings sizes, tunables;       ///< Every name.
  std::string illegal;                     ///< Why it cannot run, a sentence; empty: it can.
  std::string key;          ///< Of the kernel's code, sizes, tunables and launch; empty: illegal.
  uint64_t launch = 0;      ///< lab::launchHashOf its plan.
  double operations = 0;    ///< Floating-point operations.
  uint64_t leastBytes = 0;  ///< Of every buffer once.
  // Of the first launch.
  uint64_t blocks = 0;
  uint32_t threads = 0;      ///< A block.
  uint32_t sharedBytes = 0;  ///< A block, as front matter tells it.
};

/// Equal keys are one measurement on one device. `values`: sizes and tunables.
[[nodiscard]] std::string sweepKey(uint64_t code, uint64_t launch, const compile::Bindings& values);
[[nodiscard]] compile::Bindings valuesOf(const SweepPoint& point);

enum class SweepSource : uint8_t { interpreter, live, recording, file };

struct SweepPlan {
  SweepKind kind = SweepKind::tunable;
  SweepSource source = SweepSource::interpreter;
  std::string device, deviceName;  ///< "cuda:0", "NVIDIA H200"
  std::string recordedOn;          ///< The day; empty: no recording.
  SweepAxis x, y;                  ///< `y` has values in pictures of two axes alone.
  std::vector<SweepSeries> series;
  std::vector<SweepPoint> points;  ///< By series, then row, then column.
  std::string fixed;               ///< What all points share: "m = n = k = 1024".
  std::string beyond;      ///< Why `x` ends where it does, of the first series; empty: no reason.
  std::string leftOut;     ///< Kernels that are not in the picture, and why; else empty.
  std::string impossible;  ///< Why there is no picture; empty: there is one.
  std::vector<std::string> axes;  ///< Names of the axes that this kind can have.
  size_t axesAt = 0;              ///< Which of them these are.

  [[nodiscard]] size_t legalPoints() const;
};

/// One kernel and what its tunables are.
struct SweepKernel {
  const compile::CatalogueEntry* entry = nullptr;  ///< With a spec.
  compile::Bindings tunables;                      ///< Every name.
  TunablesOrigin from = {};
};

struct SweepInputs {
  SweepKind kind = SweepKind::tunable;
  size_t axes = 0;  ///< Which axes of those that are possible; taken modulo their number.
  SweepKernel main;
  std::optional<SweepKernel> beside;
  /// More kernels, for pictures over sizes.
  std::vector<SweepKernel> others;
  /// The tunables of `beside` where the main kernel is launched so; empty: as they are.
  std::function<compile::Bindings(const compile::Plan& main)> besideAlong;
  compile::Bindings sizes;                          ///< Measured ones, every name.
  const device::DeviceInfo* device = nullptr;       ///< In use.
  const lab::DeviceRecording* recording = nullptr;  ///< Where the device is one that is open here.
  bool file = false;  ///< `device` and `recording` are what a file of points says.
};

[[nodiscard]] SweepSeries seriesOf(const SweepKernel& kernel, bool main);
/// What the plan of the point's sizes and tunables says of it; why it cannot run, where it cannot.
void fillPoint(SweepPoint& point, const SweepSeries& series, const Limits& limits);

[[nodiscard]] SweepPlan makeSweepPlan(const SweepInputs& inputs);

}  // namespace tilestep::model
