// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "compile/kernel.h"
#include "features/names.h"
#include "lab/program/program_summary.h"
#include "model/feature.h"

namespace tilestep::features {

/// The launch of the open program whose steps are shown, and the one whose steps are being
/// recorded. A recorded launch is chosen like a kernel. One thread.
class LaunchSteps {
 public:
  /// The part of a launch to be shown.
  struct Goal {
    std::optional<Dim3> block, thread;
    uint64_t order = 0;    ///< The order of blocks and warps; 0: the usual one.
    bool isAsked = false;  ///< Requested by the user: the scene goes there.
    bool isAtEnd = false;  ///< The launch was stopped there.
    /// The step, as the number of barriers that were passed.
    std::optional<uint32_t> epoch;
  };

  /// Shows the launch that `source` names: at once if the catalogue contains it, otherwise when its
  /// steps are recorded.
  void show(model::Model& model, compile::KernelSource source, const Goal& goal);
  /// Records the launch's steps again, and then shows them.
  void record(model::Model& model, compile::KernelSource source, const Goal& goal);
  /// Stops recording. The shown launch stays.
  void stop() { asked_.reset(); }
  /// Shows no launch.
  void forget();

  /// Requests the wanted steps from the worker.
  void want(model::Model& model);
  /// Accepts these steps. False if they are not the wanted ones.
  bool accept(const model::Arrival& arrival, model::Model& model,
              const lab::ProgramSummary& summary);

  /// Whether launch properties may be inferred: an operation, phases. Returns whether that has
  /// changed.
  bool setInferred(const std::string& what, bool wanted);

  [[nodiscard]] uint64_t shown() const { return shown_; }  ///< 0: none.
  [[nodiscard]] uint64_t coming() const;                   ///< 0: none is recorded.
  /// The reason why no steps of a launch can be shown; otherwise empty.
  [[nodiscard]] const std::string& note() const { return note_; }
  void clearNote() { note_.clear(); }

 private:
  void goTo(model::Model& model, const std::string& kernel) const;

  std::optional<compile::KernelSource> asked_;  ///< For the launch that is being recorded.
  std::string wanted_;                          ///< The key of that request.
  Goal goal_;
  uint64_t shown_ = 0;
  std::set<std::string> notInferred_;
  std::string note_;
};

}  // namespace tilestep::features
