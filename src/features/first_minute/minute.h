// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "features/names.h"

namespace tilestep::features {

/// The parts of the first minute, in their order.
enum class MinutePart : uint8_t {
  alone,     ///< One thread and the elements that it needs.
  together,  ///< All threads of the block.
  reuse,     ///< One slot of the tile and the threads that read it.
  widen,     ///< The slider is to be dragged to wide tiles.
  guess,     ///< How much faster is that?
  answer,    ///< The speeds, uncovered.
  narrow,    ///< The slider is to be dragged back.
  why,       ///< Why narrow tiles are slow.
  end,       ///< The links to go on with.
};
inline constexpr size_t kMinuteParts = 9;

inline constexpr int64_t kNarrowTile = 4, kWideTile = 16;

/// The figures that the texts are made of, all from the scene and from the device in use.
struct MinuteFigures {
  std::string kernel, other;           ///< "tiled", "naive"; empty before the first trace.
  int64_t width = 0;                   ///< Of the tile.
  uint64_t threads = 0;                ///< Of the block.
  uint64_t loads = 0, otherLoads = 0;  ///< Elements that the blocks ask for in one phase.
  /// How many times as fast as the other kernel the kernel is, in equal blocks; nothing where the
  /// device in use gives no such times.
  std::optional<double> speedup;
  std::string missing;  ///< Why there is no speedup although the kernel has a time: a sentence.
  /// How its time compares with its own with wide tiles: "4.8 times slower"; empty: not known.
  std::string againstWide;
  int64_t wideWidth = kWideTile;  ///< The width of those.
  /// The other kernel's bytes read from L2 by the hardware's counters, and the bytes that its lanes
  /// ask global memory for; nothing where that was not counted.
  std::optional<double> otherL2Bytes, otherAskedBytes;
  std::string speed, otherSpeed;  ///< "7.74 TFLOP/s"
  std::string otherLaunch;        ///< "naive in blocks of 16 × 16"
  std::string sizes;              ///< "m = n = k = 1024"
  std::string origin;             ///< "NVIDIA H200, recorded 2026-11-21"
  std::string note;               ///< The kernel author's remark on the speeds over the width.
};

/// Whether the part has something to show. The parts about speed have nothing without times.
[[nodiscard]] bool hasPart(MinutePart part, const MinuteFigures& figures);

/// The text of the part, as a paragraph with **bold** and `code`.
[[nodiscard]] std::string textOf(MinutePart part, const MinuteFigures& figures);

/// The answers that are offered in the part `guess`, the right one and two others, ascending:
/// "1.5 times faster". Each differs from the right one by a third at least.
[[nodiscard]] std::vector<std::string> guessesOf(const MinuteFigures& figures);
/// The index of the right one among them.
[[nodiscard]] size_t rightGuess(const MinuteFigures& figures);

}  // namespace tilestep::features
