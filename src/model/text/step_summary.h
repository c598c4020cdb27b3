// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/scene/stepper.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// The facts of the phase that a step lies in (of the step where it lies in none).
[[nodiscard]] PhaseFacts factsAround(const TracedStep& step);

/// Both steps go over the same elements along k (or say nothing of k), and both blocks make as many
/// elements: their counts compare.
[[nodiscard]] bool comparable(const TracedStep& main, const TracedStep& companion);

/// The one sentence over the scenes, such as "16 threads, k = 0…3: naive asks for 128 loads, tiled
/// for 32; each slot serves 4 threads." Where counts do not compare, each kernel has its own part.
/// Every number comes from the traces. Either may be null.
[[nodiscard]] std::string sentenceOf(const TracedStep* main, const TracedStep* companion);

/// How the two are stepped together, and where they stand: "epoch by epoch", "at the same k", "k =
/// 0…3 beside k = 0…7", "by share of epochs: 1 of 2 beside 2 of 3".
[[nodiscard]] std::string togetherText(Together how, const TracedStep& main,
                                       const TracedStep& companion);

/// "ph 2", "ph 2 and 3", "ph 4 to 7": of the step's phases; empty in none.
[[nodiscard]] std::string phasesText(const TracedStep& step);

/// "phase ph 2, third of 4 · epoch 5 · line 17"; what does not apply is left out.
[[nodiscard]] std::string positionOf(const TracedStep& step);

/// "first", "second", … "twelfth", then "13th".
[[nodiscard]] std::string ordinal(uint32_t number);

/// "block (3, 1)"
[[nodiscard]] std::string blockText(const Dim3& block);
/// "block (3, 1) alone, of 65,536": the traced one.
[[nodiscard]] std::string aloneText(const TracedKernel& side);

}  // namespace tilestep::model
