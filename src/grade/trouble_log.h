// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "grade/launch_shape.h"
#include "grade/trouble.h"
#include "lab/experiment.h"

namespace tilestep::grade {

/// Collects the findings at the launches so far. A value.
class TroubleLog {
 public:
  void add(const LaunchShape& shape, const lab::RunResult& result);

  /// Each kind once, in the order of troubleOrder(). Omits findings that may follow from another
  /// finding at the same launch: a wrong result if there is any other finding, uninitialised memory
  /// if there is a race, and races in global memory if an access leaves its row.
  [[nodiscard]] std::vector<Trouble> troubles() const;

 private:
  struct Launch {
    LaunchShape shape;
    std::set<std::string> kinds;  ///< All findings except the result.
    bool ended = false;
    bool right = false;      ///< The result is right, even if other findings exist.
    bool wrong = false;      ///< The result is wrong, and nothing else was found.
    bool unwritten = false;  ///< With `wrong`: some elements are unwritten.
  };
  [[nodiscard]] bool isOnlyBesideWholeBlocks() const;
  [[nodiscard]] std::string wrongKind() const;

  std::vector<Launch> launches_;
};

}  // namespace tilestep::grade
