// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "grade/launch_shape.h"
#include "grade/trouble.h"
#include "lab/experiment.h"

namespace tilestep::grade {

/// What the launches so far have shown of a kernel, and at which of them. A value.
class TroubleLog {
 public:
  void add(const LaunchShape& shape, const lab::RunResult& result);

  /// Each thing once, in the order of troubleOrder(). What may follow from something else at the
  /// same launch is not told: a wrong result where anything was found, memory that nothing has
  /// written where threads race, and races in global memory where an access leaves its row.
  [[nodiscard]] std::vector<Trouble> troubles() const;

 private:
  struct Launch {
    LaunchShape shape;
    std::set<std::string> kinds;  ///< What was found beside the result.
    bool ended = false;
    bool right = false;      ///< The result, whatever else was found.
    bool wrong = false;      ///< The result, where nothing else was found.
    bool unwritten = false;  ///< With `wrong`: of some elements.
  };
  [[nodiscard]] bool isOnlyBesideWholeBlocks() const;
  [[nodiscard]] std::string wrongKind() const;

  std::vector<Launch> launches_;
};

}  // namespace tilestep::grade
