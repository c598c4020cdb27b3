// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tilestep::model {

/// What a sweep's picture goes over: one tunable, two of them (block shapes), matrix sizes, the
/// kernels of the ladder (features/sweeps/ladder_view.h).
enum class SweepKind : uint8_t { tunable, shapes, sizes, ladder };
inline constexpr size_t kSweepKinds = 4;
inline constexpr std::array<const char*, kSweepKinds> kSweepKindNames{"tunable", "shapes", "sizes",
                                                                      "ladder"};
/// "ladder": in lessons and in the window's state.
[[nodiscard]] constexpr const char* nameOf(SweepKind kind) {
  return kSweepKindNames[static_cast<size_t>(kind)];
}

/// What it shows of each point.
enum class SweepQuantity : uint8_t {
  automatic,  ///< Speed where there are times, else what was counted.
  speed,      ///< FLOP/s; of kernels without floating-point work: bytes/s, each buffer once.
  time,       ///< Median.
  asked,      ///< Bytes that lanes ask to load, each FLOP (or element stored).
  sectors,    ///< Bytes of the 32-byte sectors that requests touch, as `asked`.
  wavefronts  ///< Passes of shared memory, each warp's multiply-add (or 32 elements stored).
};
inline constexpr size_t kSweepQuantities = 6;
inline constexpr std::array<const char*, kSweepQuantities> kSweepQuantityNames{
    "automatic", "speed", "time", "asked", "sectors", "wavefronts"};
/// "sectors": in the window's state.
[[nodiscard]] constexpr const char* nameOf(SweepQuantity quantity) {
  return kSweepQuantityNames[static_cast<size_t>(quantity)];
}

/// Which picture of a sweep is looked at.
struct SweepChoice {
  SweepKind kind = SweepKind::tunable;
  SweepQuantity quantity = SweepQuantity::automatic;
  size_t axes = 0;  ///< Which axes of those that the kernels allow, modulo their number.
  bool operator==(const SweepChoice&) const = default;
};

/// One word of a command (model/command.h): "tunable/automatic/0".
[[nodiscard]] std::string toWord(const SweepChoice& choice);
/// False, and `to` as it was, where the word is none.
bool fromWord(const std::string& word, SweepChoice& to);

}  // namespace tilestep::model
