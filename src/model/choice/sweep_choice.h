// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tilestep::model {

/// The x axis of a sweep's plot: one tunable, two tunables (block shapes), matrix sizes, or the
/// kernels of the ladder (features/sweeps/ladder_view.h).
enum class SweepKind : uint8_t { tunable, shapes, sizes, ladder };
inline constexpr size_t kSweepKinds = 4;
inline constexpr std::array<const char*, kSweepKinds> kSweepKindNames{"tunable", "shapes", "sizes",
                                                                      "ladder"};
/// "ladder": in lessons and in the window's state.
[[nodiscard]] constexpr const char* nameOf(SweepKind kind) {
  return kSweepKindNames[static_cast<size_t>(kind)];
}

enum class SweepQuantity : uint8_t {
  automatic,  ///< Speed if there are times, otherwise a counted quantity.
  speed,  ///< FLOP/s or, for kernels without floating-point work, bytes/s with each buffer counted
          ///< once.
  time,   ///< The median time.
  asked,  ///< Bytes that lanes request to load, per FLOP (or per element stored).
  sectors,    ///< Bytes of the 32-byte sectors that requests touch, per FLOP or per element stored,
              ///< as in `asked`.
  wavefronts  ///< Shared-memory wavefronts per warp's multiply-add (or per 32 elements stored).
};
inline constexpr size_t kSweepQuantities = 6;
inline constexpr std::array<const char*, kSweepQuantities> kSweepQuantityNames{
    "automatic", "speed", "time", "asked", "sectors", "wavefronts"};
/// "sectors": in the window's state.
[[nodiscard]] constexpr const char* nameOf(SweepQuantity quantity) {
  return kSweepQuantityNames[static_cast<size_t>(quantity)];
}

struct SweepChoice {
  SweepKind kind = SweepKind::tunable;
  SweepQuantity quantity = SweepQuantity::automatic;
  size_t axes = 0;  ///< The index among the axes that the kernels allow, modulo their number.
  bool operator==(const SweepChoice&) const = default;
};

/// One word of a command (model/command.h): "tunable/automatic/0".
[[nodiscard]] std::string toWord(const SweepChoice& choice);
/// Parses the word into `to`. Returns false, and leaves `to` unchanged, if the word is invalid.
bool fromWord(const std::string& word, SweepChoice& to);

}  // namespace tilestep::model
