// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/sweeps/ladder_counts.h"
#include "features/sweeps/ladder_plan.h"
#include "features/sweeps/ladder_view.h"
#include "features/sweeps/sweeps.h"
#include "model/model.h"

namespace tilestep::model {

/// The ladder, which is a sweep over its rungs: their best tunables, what is counted of them, what
/// is known of the device. A recording may be null. One thread.
class Ladder {
 public:
  using RecordingPointer = std::shared_ptr<const lab::DeviceRecording>;

  /// Its kernels at the measured sizes, on `device`. `axes`: as SweepChoice has it.
  SweepInputs inputs(const Model& model, const device::DeviceInfo& device,
                     const RecordingPointer& recording, size_t axes);
  /// What needs to be counted next for this plan; nothing where it is no ladder's.
  std::optional<lab::Experiment> wanted(const SweepPlan& plan);
  /// An answer to what was wanted last.
  void accept(const worker::Reply& reply);
  /// What failed is counted again.
  void forgetFailed() { counts_.forgetFailed(); }
  /// A search may have ended since the best tunables were looked up.
  void forgetBest() { bestKey_.clear(); }
  /// The picture explained. `key` differs where the picture's points do. Null where there is
  /// nothing to explain.
  std::shared_ptr<const LadderView> view(const Model& model, Sweeps& sweeps,
                                         const std::shared_ptr<const SweepView>& picture,
                                         const RecordingPointer& recording, const std::string& key);
  /// The rungs' measured speeds for the roofline, where the chosen kernel is one of them.
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
};

}  // namespace tilestep::model
