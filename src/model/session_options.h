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
  std::string home;         ///< The folder that holds kernels/ and assets/devices/.
  std::string kernel;       ///< Name or path; empty for matmul_tiled.
  compile::Bindings sizes;  ///< The sizes of both the scene and the measurement.
  compile::Bindings tunables;
  std::string device = "auto";
  Comparison comparison;  ///< The companion kernel may be given by path.
  /// The state of an earlier run. If a kernel, sizes or tunables are given above, only its
  /// appearance settings are restored.
  std::optional<Saved> saved;
  PinsPointer pins;          ///< The pins of earlier runs; null if none.
  std::string pointsFile;    ///< The user's points; if empty, none are kept between runs.
  std::string shippedTuned;  ///< The folder of the shipped best tunables; empty if none.
  std::string entry,
      comparisonEntry;        ///< Entry functions in the kernels' files; empty if not chosen.
  bool firstMinute = false;   ///< Begin with the tour of the first minute (features/first_minute).
  std::string ownKernels;     ///< The folder of the user's own kernels; empty if none.
  std::string programFolder;  ///< Keeps unsaved texts and recent programs; may be empty.
  std::string program;        ///< A program's file to open; empty if none.
  std::string programRunner;  ///< The executable that runs programs; if empty, none can be run.
};

}  // namespace tilestep::model
