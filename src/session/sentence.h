// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "session/side.h"

namespace tilestep::session {

/// What one phase of one block does, counted from its trace.
struct PhaseFacts {
  uint32_t threads = 0;                   ///< Threads that touch memory or a sum in it.
  uint64_t loads = 0;                     ///< Elements that lanes ask global memory for.
  uint64_t stores = 0;                    ///< Elements that lanes write to global memory.
  std::optional<uint64_t> kFirst, kLast;  ///< Of the elements loaded, where they have a k.
  uint32_t slotReadersLeast = 0, slotReadersMost = 0;  ///< Threads that read one shared slot.
};
[[nodiscard]] PhaseFacts factsOf(const trace::Replay& replay, const trace::Activity& activity);

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
