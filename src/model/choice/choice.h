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

/// The sizes of an experiment (m, n, k, …). Linked: changing one changes all.
struct Sizes {
  compile::Bindings values;
  bool linked = true;
  bool operator==(const Sizes&) const = default;
};

struct Pins;  // model/choice/pins.h

/// What stands beside the kernel and is stepped with it.
struct Comparison {
  static constexpr const char* kUsual = "auto";  ///< Naive beside another product, else nothing.
  static constexpr const char* kNone = "none";
  std::string kernel = kUsual;  ///< One of these words, or a kernel's name.
  /// By kernel. Names that are missing follow the main kernel, so that both do the same work.
  std::map<std::string, compile::Bindings> tunables;
  /// The traced block where its blocks make other elements than the main kernel's; nothing: the
  /// one that makes the main block's first element.
  std::optional<Dim3> block;
  bool operator==(const Comparison&) const = default;
};

/// All that a person can choose and undo. A value; positions in time are not part of it.
struct Choice {
  std::string kernel = "matmul_tiled";
  /// By kernel, so that going back to one finds it as it was left. Missing names: defaults.
  std::map<std::string, compile::Bindings> tunables;
  /// By kernel: which of its file's functions was asked for. Missing: its front matter says, or
  /// there is one only.
  std::map<std::string, std::string> entries;
  Sizes scene;    ///< What is traced and drawn: small.
  Sizes measure;  ///< What is timed, or counted on demand.
  std::string device = "auto";
  /// A known device (the name of its file in assets/devices): whose roofs and limits are shown
  /// where there is no GPU, and with `elsewhere` instead of the GPU's.
  std::string roofDevice;
  bool elsewhere = false;
  uint32_t assumedRegisters = 0;  ///< A thread, for occupancy; 0: none assumed.
  Dim3 block{0, 0, 0};            ///< The traced block.
  std::optional<Dim3> thread;     ///< Of the block: the one that is followed.
  AppearanceSet looks;            ///< Asks nothing of the worker.
  /// Which `__syncthreads()` of the kernel is taken away in the scene, from 1; 0: none.
  uint32_t withoutBarrier = 0;
  Comparison beside;
  /// The pinned runs, so that undo takes a pin back like all else; null: none. Kept in a file of
  /// their own.
  std::shared_ptr<const Pins> pins;
  bool operator==(const Choice&) const = default;
};

}  // namespace tilestep::model
