// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "session/side.h"

namespace tilestep::session {

/// The facts of the phase that a step lies in (of the step where it lies in none).
[[nodiscard]] PhaseFacts factsAround(const SideStep& step);

/// Both steps go over the same elements along k (or say nothing of k): their counts compare.
[[nodiscard]] bool comparable(const SideStep& main, const SideStep& companion);

/// The one sentence over the scenes, such as "16 threads, k = 0…3: naive asks for 128 loads, tiled
/// for 32; each slot serves 4 threads." Every number comes from the traces. Either may be null.
[[nodiscard]] std::string sentenceOf(const SideStep* main, const SideStep* companion);

/// "phase ph 2, third of 4 · epoch 5 · line 17"; what does not apply is left out.
[[nodiscard]] std::string positionOf(const SideStep& step);

/// "first", "second", … "twelfth", then "13th".
[[nodiscard]] std::string ordinal(uint32_t number);

}  // namespace tilestep::session
