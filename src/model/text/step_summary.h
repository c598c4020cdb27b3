// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/scene/stepper.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// The facts of the phase that contains the step, or of the step if it is outside of phases.
[[nodiscard]] PhaseFacts factsAround(const TracedStep& step);

/// Whether the counts of two steps can be compared: both cover the same elements along k (or
/// neither has a k), and both blocks compute the same number of elements.
[[nodiscard]] bool comparable(const TracedStep& main, const TracedStep& companion);

/// The sentence above the scenes, such as "Load, 16 threads, k = 0…3: naive asks for 128 element
/// loads, tiled for 32; each slot serves 4 threads." If the counts cannot be compared, each kernel
/// has a separate part. Every number comes from the traces. Either argument may be null.
[[nodiscard]] std::string sentenceOf(const TracedStep* main, const TracedStep* companion);

/// How the two kernels are stepped together, and their positions: "epoch by epoch", "at the same
/// k", "k = 0…3 beside k = 0…7", "by share of epochs: 1 of 2 beside 2 of 3".
[[nodiscard]] std::string togetherText(Together how, const TracedStep& main,
                                       const TracedStep& companion);

/// The step's phases: "2", "2 and 3", "4 to 7"; empty if it has none.
[[nodiscard]] std::string phasesText(const TracedStep& step);

/// "phase 0, first of 2", "phases 2 and 3 of 4" or, for a kernel without phases that is divided
/// like its companion, "k = 0…3"; empty for a step outside of phases.
[[nodiscard]] std::string phaseCaption(const TracedStep& step);

/// "phase 2, third of 4 · epoch 5 · line 17"; parts that do not apply are omitted.
[[nodiscard]] std::string positionOf(const TracedStep& step);

/// "first", "second", … "twelfth", then "13th".
[[nodiscard]] std::string ordinal(uint32_t number);

/// "block (3, 1)"
[[nodiscard]] std::string blockText(const Dim3& block);
/// The traced block: "only block (3, 1) of 65,536".
[[nodiscard]] std::string aloneText(const TracedKernel& side);

}  // namespace tilestep::model
