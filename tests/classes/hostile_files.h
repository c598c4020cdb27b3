// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilestep::system_test {

/// A wrong submission for matrix_sum that tries to read files, to hang, to exhaust resources, or to
/// be judged right.
struct HostileFile {
  std::string id, text;
};
std::vector<HostileFile> hostileFiles();

}  // namespace tilestep::system_test
