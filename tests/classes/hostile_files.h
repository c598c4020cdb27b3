// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilestep::system_test {

/// A submission for matrix_sum that tries to read, to hang, to use up much, or to pass as right.
/// None of them is right.
struct HostileFile {
  std::string id, text;
};
std::vector<HostileFile> hostileFiles();

}  // namespace tilestep::system_test
