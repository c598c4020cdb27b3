// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "features/names.h"

namespace tilestep::features {

/// The parts of the first-minute tour, in order.
enum class MinutePart : uint8_t {
  alone,     ///< One thread and the elements that it needs.
  together,  ///< All threads of the block.
  reuse,     ///< One slot of the tile and the threads that read it.
  widen,     ///< The user drags the slider to wide tiles.
  guess,     ///< The user guesses the speedup.
  answer,    ///< The speeds, uncovered.
  narrow,    ///< The user drags the slider back.
  why,       ///< The reason why narrow tiles are slow.
  end,       ///< Links to continue with.
};
inline constexpr size_t kMinuteParts = 9;

inline constexpr int64_t kNarrowTile = 4, kWideTile = 16;

/// The figures for the texts, all from the scene and from the device in use.
struct MinuteFigures {
  std::string kernel, other;           ///< "tiled", "naive"; empty before the first trace.
  int64_t width = 0;                   ///< Width of the tile.
  uint64_t threads = 0;                ///< Threads of the block.
  uint64_t loads = 0, otherLoads = 0;  ///< Elements that the blocks request in one phase.
  /// The speedup of the kernel over the other kernel in equal blocks; absent if the device in use
  /// has no such times.
  std::optional<double> speedup;
  /// The reason why there is no speedup although the kernel has a time, in a sentence.
  std::string missing;
  /// Its time compared with its own time for wide tiles: "4.8 times slower"; empty: unknown.
  std::string againstWide;
  int64_t wideWidth = kWideTile;  ///< The width of the wide tiles.
  /// The bytes that the other kernel reads from L2 according to the hardware counters, and the
  /// bytes that its lanes request from global memory; absent if not counted.
  std::optional<double> otherL2Bytes, otherAskedBytes;
  std::string speed, otherSpeed;  ///< "7.74 TFLOP/s"
  std::string otherLaunch;        ///< "naive in blocks of 16 × 16"
  std::string sizes;              ///< "m = n = k = 1024"
  std::string origin;             ///< "NVIDIA H200, recorded 2026-11-21"
  std::string note;               ///< The kernel author's remark on the speeds over the width.
};

/// Whether the part has something to show. The parts about speed have nothing without times.
[[nodiscard]] bool hasPart(MinutePart part, const MinuteFigures& figures);

/// The text of the part, a paragraph with **bold** and `code`.
[[nodiscard]] std::string textOf(MinutePart part, const MinuteFigures& figures);

/// The answers offered in the part `guess`: the right one and two others, ascending: "1.5 times
/// faster". Each differs from the right one by at least a third.
[[nodiscard]] std::vector<std::string> guessesOf(const MinuteFigures& figures);
/// The index of the right one among them.
[[nodiscard]] size_t rightGuess(const MinuteFigures& figures);

}  // namespace tilestep::features
