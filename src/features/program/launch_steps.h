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

/// The launch of the open program whose steps are shown, and the launch whose steps are being
/// recorded. A recorded launch is chosen like a kernel. For one thread.
class LaunchSteps {
 public:
  /// The part of a launch that is shown.
  struct Goal {
    std::optional<Dim3> block, thread;
    uint64_t order = 0;    ///< The order of blocks and warps; 0 for the default order.
    bool isAsked = false;  ///< The user requested this launch, so the scene goes there.
    bool isAtEnd = false;  ///< Show the last step, at which the launch was stopped.
    /// The step to show, as the number of barriers passed.
    std::optional<uint32_t> epoch;
  };

  /// Shows the launch named by `source`: immediately if it is known, otherwise once recorded.
  void show(model::Model& model, compile::KernelSource source, const Goal& goal);
  /// Records the launch's steps again, then shows them.
  void record(model::Model& model, compile::KernelSource source, const Goal& goal);
  /// Stops recording. The shown launch stays.
  void stop() { asked_.reset(); }
  /// Stops showing a launch.
  void forget();

  /// Requests the wanted steps from the worker.
  void want(model::Model& model);
  /// Accepts recorded steps. Returns false if they are not the wanted steps.
  bool accept(const model::Arrival& arrival, model::Model& model,
              const lab::ProgramSummary& summary);

  /// Sets whether an operation or phases may be inferred. Returns whether the setting changed.
  bool setInferred(const std::string& what, bool wanted);

  [[nodiscard]] uint64_t shown() const { return shown_; }  ///< 0 if no launch is shown.
  [[nodiscard]] uint64_t coming() const;                   ///< 0 if no launch is being recorded.
  /// The reason why a launch's steps cannot be shown; empty if they can.
  [[nodiscard]] const std::string& note() const { return note_; }
  void clearNote() { note_.clear(); }

 private:
  void goTo(model::Model& model, const std::string& kernel) const;

  std::optional<compile::KernelSource> asked_;  ///< The launch that is being recorded.
  std::string wanted_;                          ///< The key of the request for `asked_`.
  Goal goal_;
  uint64_t shown_ = 0;
  std::set<std::string> notInferred_;
  std::string note_;
};

}  // namespace tilestep::features
