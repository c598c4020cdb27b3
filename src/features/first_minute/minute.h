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
  answer,    ///< The speeds are revealed.
  narrow,    ///< The user drags the slider back.
  why,       ///< The reason why narrow tiles are slow.
  end,       ///< Links to continue with.
};
inline constexpr size_t kMinuteParts = 9;

inline constexpr int64_t kNarrowTile = 4, kWideTile = 16;

/// The figures in the texts, all from the scene and from the device in use.
struct MinuteFigures {
  std::string kernel, other;  ///< "tiled", "naive"; empty before the first trace.
  int64_t width = 0;          ///< Width of the tile.
  uint64_t threads = 0;       ///< Threads of the block.
  uint64_t loads = 0,
           otherLoads = 0;  ///< Elements that the block of each kernel requests in one phase.
  /// The kernel's speedup over the other kernel in equal blocks; absent without both times.
  std::optional<double> speedup;
  /// A sentence that says why there is no speedup although the kernel has a time.
  std::string missing;
  /// The kernel's time compared with its time for wide tiles: "4.8 times slower"; empty if unknown.
  std::string againstWide;
  int64_t wideWidth = kWideTile;
  /// The other kernel's traffic: bytes read from L2 according to hardware counters, and bytes that
  /// its lanes request from global memory. Absent if not counted.
  std::optional<double> otherL2Bytes, otherAskedBytes;
  std::string speed, otherSpeed;  ///< "7.74 TFLOP/s"
  std::string otherLaunch;        ///< "naive in blocks of 16 × 16"
  std::string sizes;              ///< "m = n = k = 1024"
  std::string origin;             ///< "NVIDIA H200, recorded 2026-11-21"
  std::string note;  ///< The kernel author's note on how the speed depends on the width.
};

/// Whether the part has something to show. Without times, the parts about speed are skipped.
[[nodiscard]] bool hasPart(MinutePart part, const MinuteFigures& figures);

/// The part's text, a paragraph with **bold** and `code`.
[[nodiscard]] std::string textOf(MinutePart part, const MinuteFigures& figures);

/// The answers offered in the part `guess`, ascending: the right answer and two others, such as
/// "1.5 times faster". The others differ from the right answer by at least a third.
[[nodiscard]] std::vector<std::string> guessesOf(const MinuteFigures& figures);
/// The index of the right answer in guessesOf().
[[nodiscard]] size_t rightGuess(const MinuteFigures& figures);

}  // namespace tilestep::features
