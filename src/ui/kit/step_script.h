// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "model/session.h"

namespace tilestep::ui {

/// Goes through steps automatically and waits at each until it is complete.
class StepScript {
 public:
  struct Progress {
    size_t done = 0, all = 0;  ///< Steps; `all` is 0 while unknown.
  };

  virtual ~StepScript() = default;
  /// Call after each frame. `still` is true if nothing in the picture is moving; `now` is in
  /// seconds. Returns true when the step is complete: record the step, and then call taken().
  virtual bool advance(model::Session& session, bool still, double now) = 0;
  /// Goes to the next step. The script ends if `done` is an error.
  virtual void taken(model::Session& session, const Status& done) = 0;
  [[nodiscard]] virtual bool ended() const = 0;
  [[nodiscard]] virtual Progress progress() const = 0;
  /// The reasons why steps could not be shown or recorded, one per line; empty if there are none.
  [[nodiscard]] virtual const std::string& trouble() const = 0;
};

}  // namespace tilestep::ui
