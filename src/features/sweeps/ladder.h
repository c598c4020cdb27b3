// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/names.h"
#include "features/sweeps/ladder_counts.h"
#include "features/sweeps/ladder_plan.h"
#include "features/sweeps/ladder_view.h"
#include "features/sweeps/sweeps.h"
#include "model/model.h"

namespace tilestep::features {

struct LadderRoofs {
  const device::Ceilings* ceilings = nullptr;  ///< Null if unknown.
  std::string origin;                          ///< "what NVIDIA H200 can do at most (measured …)"
};

/// The ceilings that apply to the ladder's points: those of the one machine that took all of them
/// in `recording` if they are known, otherwise `usual`; `origin` says which. `recording` is null if
/// `device` is not a recording that is open here.
[[nodiscard]] LadderRoofs ladderRoofsOf(
    const SweepPlan& plan, const std::function<const SweepSample*(const SweepPoint&)>& find,
    const device::DeviceInfo& device, const device::Ceilings* usual,
    const lab::DeviceRecording* recording);

/// The ladder, which is a sweep over its rungs: their best tunables, their counts, and what is
/// known about the device. A recording may be null. For one thread.
class Ladder {
 public:
  /// The rungs at the measured sizes, on `device`. `axes`: as in SweepChoice.
  SweepInputs inputs(const Model& model, const device::DeviceInfo& device,
                     const RecordingPointer& recording, size_t axes);
  /// The next experiment to count for this plan; absent for plans of other kinds, and if everything
  /// is counted.
  std::optional<lab::Experiment> wanted(const SweepPlan& plan);
  /// Accepts the reply for the experiment that `wanted` returned last.
  void accept(const worker::Reply& reply);
  /// Failed experiments are counted again.
  void forgetFailed() { counts_.forgetFailed(); }
  /// The explanation of the ladder's sweep. `key` identifies the sweep's points. Null if there is
  /// nothing to explain.
  std::shared_ptr<const LadderView> view(const Model& model, Sweeps& sweeps,
                                         const std::shared_ptr<const SweepView>& picture,
                                         const RecordingPointer& recording, const std::string& key);
  /// The rungs' measured speeds for the roofline, if the chosen kernel is one of them.
  const std::vector<RoofTrace>& traces(const Model& model, Sweeps& sweeps,
                                       const RecordingPointer& recording);

 private:
  const std::map<std::string, KnownTunables>& bestOfRungs(const Model& model,
                                                          const device::DeviceInfo& device,
                                                          const RecordingPointer& recording,
                                                          const compile::Bindings& sizes);

  std::vector<compile::CatalogueEntry> libraries_;  ///< cuBLAS's products as kernels.
  LadderCounts counts_;
  std::shared_ptr<const LadderView> view_;
  std::shared_ptr<const SweepView> viewOf_;
  std::string viewKey_;
  std::vector<RoofTrace> traces_;
  std::string tracesKey_;
  std::map<std::string, KnownTunables> best_;  ///< By kernel.
  std::string bestKey_;
  std::shared_ptr<const lab::DeviceTuned> bestOf_;  ///< The choices behind `best_`.
};

}  // namespace tilestep::features
