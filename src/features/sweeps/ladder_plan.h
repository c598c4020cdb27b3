// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "features/names.h"
#include "features/sweeps/sweep_plan.h"
#include "lab/recording/recording.h"
#include "lab/tune/tuned.h"

/// The ladder as a sweep over kernels: its rungs in the order of their files, then the libraries'
/// products. Pure.
namespace tilestep::features {

/// Whether this file is in the ladder's folder.
[[nodiscard]] bool isRung(const compile::CatalogueEntry& entry);

/// "9" for "rung09_double_buffer"; empty for other names.
[[nodiscard]] std::string rungNumberOf(const std::string& kernel);

/// The best known tunables of one rung.
struct KnownTunables {
  compile::Bindings tunables;  ///< Complete.
  TunablesOrigin from;
};

/// The kernel's fastest timed run in the recording at these sizes; absent if there is none.
[[nodiscard]] std::optional<KnownTunables> fastestRecorded(const compile::CatalogueEntry& entry,
                                                           const compile::Bindings& sizes,
                                                           const lab::DeviceRecording& recording);

/// The result of a search on a device (lab/tune/tuned.h), if it is legal at `sizes`.
[[nodiscard]] std::optional<KnownTunables> searchedTunables(const compile::CatalogueEntry& entry,
                                                            const compile::Bindings& sizes,
                                                            const std::optional<lab::Tuned>& tuned,
                                                            const Limits& limits);

/// The rungs of a catalogue in the order of their names, with the tunables in `known` (by kernel)
/// or with their defaults. A rung whose tiles can be padded has two rows, unpadded and padded. If
/// `chosen` (by kernel) has other tunables, the rung has a further row with them. `libraries` come
/// last.
[[nodiscard]] std::vector<SweepKernel> ladderKernels(
    const std::vector<compile::CatalogueEntry>& catalogue,
    const std::map<std::string, KnownTunables>& known,
    const std::map<std::string, compile::Bindings>& chosen,
    const std::vector<compile::CatalogueEntry>& libraries);

/// Plans one point for each rung in `in.others`, at `in.sizes`.
void planLadder(const SweepInputs& in, SweepPlan& plan);

}  // namespace tilestep::features
