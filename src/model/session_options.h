// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/choice/choice.h"
#include "model/choice/pins.h"
#include "model/files/saved.h"

namespace tilestep::model {

struct SessionOptions {
  std::string home;         ///< Holds kernels/ and assets/devices/.
  std::string kernel;       ///< Name or path; empty: matmul_tiled.
  compile::Bindings sizes;  ///< Of the scene, and measured.
  compile::Bindings tunables;
  std::string device = "auto";
  Comparison beside;  ///< A kernel's path is taken, too.
  /// What an earlier run left. A kernel, sizes or tunables given above put its looks alone back.
  std::optional<Saved> saved;
  PinsPointer pins;  ///< Those that were pinned before; null: none.
  /// Where the best tunables are looked for, the user's own first.
  std::vector<std::string> tunedFolders;
  std::string entry, besideEntry;  ///< Of the files of the kernels; empty: not chosen.
  std::string sweepFolder;         ///< Keeps the points of sweeps between runs; empty: none does.
};

}  // namespace tilestep::model
