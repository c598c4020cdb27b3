// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "features/sweeps/sweep_plan.h"
#include "lab/recording/recording.h"
#include "lab/tune/tuned.h"

/// The ladder as a sweep over kernels: its rungs in the order of their files, then the libraries'
/// products. Pure.
namespace tilestep::model {

/// Whether this file lies in the ladder's folder.
[[nodiscard]] bool isRung(const compile::CatalogueEntry& entry);

/// "9" of "rung09_double_buffer"; empty where the name begins otherwise.
[[nodiscard]] std::string rungNumberOf(const std::string& kernel);

/// What is known to be the best of one rung.
struct KnownTunables {
  compile::Bindings tunables;  ///< Every name.
  TunablesOrigin from;
};

/// The fastest run of the kernel that the recording holds at these sizes; nothing where it holds
/// none with a time.
[[nodiscard]] std::optional<KnownTunables> fastestRecorded(const compile::CatalogueEntry& entry,
                                                           const compile::Bindings& sizes,
                                                           const lab::DeviceRecording& recording);

/// What a search found on a device (lab/tune/tuned.h), where it is legal at `sizes`.
[[nodiscard]] std::optional<KnownTunables> searchedTunables(const compile::CatalogueEntry& entry,
                                                            const compile::Bindings& sizes,
                                                            const std::optional<lab::Tuned>& tuned,
                                                            const Limits& limits);

/// The rungs of a catalogue in the order of their names, each with the tunables that `known` has
/// for it (by kernel), else with its defaults. A rung whose tiles can be padded stands there twice:
/// as it is, and padded. Where `chosen` has other tunables (by kernel), the rung stands there with
/// those, too: a poor choice never takes the place of the best one. `libraries` come last.
[[nodiscard]] std::vector<SweepKernel> ladderKernels(
    const std::vector<compile::CatalogueEntry>& catalogue,
    const std::map<std::string, KnownTunables>& known,
    const std::map<std::string, compile::Bindings>& chosen,
    const std::vector<compile::CatalogueEntry>& libraries);

/// `in.others` are the rungs; a point each, at `in.sizes`.
void planLadder(const SweepInputs& in, SweepPlan& plan);

}  // namespace tilestep::model
