// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/dim3.h"
#include "compile/kernel.h"
#include "model/choice/appearance.h"

namespace tilestep::model {

/// The sizes of an experiment (m, n, k, …). If they are linked, changing one changes all.
struct Sizes {
  compile::Bindings values;
  bool linked = true;
  bool operator==(const Sizes&) const = default;
};

struct Pins;  // model/choice/pins.h

/// The companion kernel, which is stepped together with the main kernel.
struct Comparison {
  /// The naive product for any other matrix product, and no companion for other kernels.
  static constexpr const char* kUsual = "auto";
  static constexpr const char* kNone = "none";
  std::string kernel = kUsual;  ///< kUsual, kNone, or a kernel's name.
  /// Tunables by kernel. Tunables that are not listed follow the main kernel, so that both kernels
  /// do the same work.
  std::map<std::string, compile::Bindings> tunables;
  /// The companion's traced block, for companions whose blocks compute different elements than the
  /// main kernel's. If absent, it is the block that computes the main block's first element.
  std::optional<Dim3> block;
  bool operator==(const Comparison&) const = default;
};

/// Everything that a user can choose and undo. The position in the steps is not part of it.
struct Choice {
  std::string kernel = "matmul_tiled";
  /// Tunables by kernel, so that returning to a kernel restores them. Tunables that are not listed
  /// have their defaults.
  std::map<std::string, compile::Bindings> tunables;
  /// The chosen entry function by kernel. For a kernel that is not listed, the front matter names
  /// the function, or the file has only one.
  std::map<std::string, std::string> entries;
  Sizes scene;    ///< The sizes that are traced and drawn: small.
  Sizes measure;  ///< The sizes that are timed, or counted on demand.
  std::string device = "auto";
  /// A known device (the name of its file in assets/devices). Its roofs and limits are shown if
  /// there is no GPU, and also instead of the GPU's if `whatIf` is set.
  std::string roofDevice;
  bool whatIf = false;
  /// Registers per thread assumed for occupancy; 0 if none are assumed.
  uint32_t assumedRegisters = 0;
  Dim3 block{0, 0, 0};         ///< The traced block.
  std::optional<Dim3> thread;  ///< The thread of the block that is followed.
  /// Appearance settings. Changing them sends nothing to the worker.
  AppearanceSet looks;
  /// The barrier of the kernel (`__syncthreads()` or `__syncwarp()`) that is removed in the scene,
  /// counted from 1; 0 if none.
  uint32_t withoutBarrier = 0;
  Comparison comparison;
  /// The pinned runs, which are part of the choice so that undo covers them; null if none. They are
  /// saved in a separate file.
  std::shared_ptr<const Pins> pins;
  bool operator==(const Choice&) const = default;
};

}  // namespace tilestep::model
