// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unit/features/labs/lab_home.h"

namespace tilestep::features {

/// The sample lab about timing: a product of a recorded size, one of another size, and one without
/// times.
inline std::string timingLab() {
  const std::string sample = kSampleLab;
  return "timings = true\n" + sample.substr(0, sample.find("[[kernel]]")) +
         "[[kernel]]\nname = \"matmul_tiled\"\nlabel = \"long product\"\n"
         "tunables = { TILE_WIDTH = 8 }\ntimed = { m = 512, n = 512, k = 512 }\n"
         "[[kernel]]\nname = \"matmul_tiled\"\nlabel = \"odd product\"\n"
         "tunables = { TILE_WIDTH = 8 }\ntimed = { m = 100, n = 100, k = 100 }\n"
         "[[kernel]]\nname = \"matmul_naive\"\n";
}

}  // namespace tilestep::features
