// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/dim3.h"
#include "base/result.h"
#include "compile/kernel.h"
#include "metrics/roofline.h"
#include "model/machine.h"

namespace tilestep::model {

/// Where a pinned run's figures come from.
enum class PinOrigin : uint8_t { measured, recorded, interpreter };
inline constexpr size_t kPinOrigins = 3;
[[nodiscard]] const char* nameOf(PinOrigin origin);

struct PinnedTime {
  double medianMs = 0, minMs = 0, p10Ms = 0, p90Ms = 0;
  uint32_t repetitions = 0;  ///< Samples, each the mean of `batch` runs.
  uint32_t batch = 1;
  std::optional<double> coldMedianMs;
  std::string method;
  bool operator==(const PinnedTime&) const = default;
};

/// A run that is kept: what it was, and all figures that it had then.
struct Pin {
  uint64_t id = 0;  ///< Chance made it, so that no two windows give the same one; never 0.
  std::string name;
  unsigned colour = 0;  ///< Which of the palette's categories, below kPinColours.
  std::string pinned;   ///< When, UTC: "2026-11-21T15:02:11Z".
  std::string kernel;
  std::string kernelFile;  ///< Where it was given by its path; else empty.
  std::string entry;       ///< Which of the file's functions was asked for; empty: none was.
  uint64_t codeHash = 0;   ///< Of its program then (lab::codeHashOf); 0: unknown.
  compile::Bindings sizes, tunables;
  Dim3 grid{1, 1, 1}, block{1, 1, 1};  ///< Of the first launch.
  std::string device;                  ///< Its id: "cuda:0", "recorded:nvidia-h200", "simt".
  std::string deviceName, driver;      ///< `driver` may be empty.
  /// Which device of that name it was, as in Machine; empty and 0 where that is not known.
  std::string identity;
  uint32_t machines = 0, machineNumber = 0;
  PinOrigin origin = PinOrigin::interpreter;
  std::string madeOn;  ///< The day its figures are of: "2026-11-21".
  std::optional<PinnedTime> time;
  /// Bytes and operations, without seconds, which `time` holds.
  metrics::RooflineWork work;
  std::optional<uint32_t> registers;
  uint32_t sharedBytes = 0;
  std::optional<double> occupancy, achieved;  ///< Theoretical and measured, shares.
  bool operator==(const Pin&) const = default;

  [[nodiscard]] Machine machine() const;
  /// FLOP over the median, in 1e9 a second.
  [[nodiscard]] std::optional<double> gflops() const;
  /// With the seconds of `time`, for the roofline.
  [[nodiscard]] metrics::RooflineWork timedWork() const;
};
inline constexpr unsigned kPinColours = 8;
inline constexpr size_t kMostPins = 64;

/// All of them, in the order of pinning. Immutable once shared; a change makes another.
struct Pins {
  static constexpr int kVersion = 1;
  std::vector<Pin> pins;
  uint64_t base = 0;  ///< What the others are compared with; 0: nothing was chosen.
  bool operator==(const Pins&) const = default;

  [[nodiscard]] const Pin* find(uint64_t id) const;
  /// The chosen base, or the first where none was chosen or it is gone; null where none is pinned.
  [[nodiscard]] const Pin* baseOrFirst() const;
};

using PinsPointer = std::shared_ptr<const Pins>;

/// TOML; parsePins of it gives an equal value.
[[nodiscard]] std::string toToml(const Pins& pins);
/// Reads text from anywhere. Everything is checked: an unknown key, a wrong type and a value out of
/// its range are errors, with file, line and reason.
Result<Pins> parsePins(std::string_view text, const std::string& file);

/// `mine`, and behind it those of `other` whose id is not in `known`: what another window pinned
/// meanwhile is kept, what this one let go stays away.
[[nodiscard]] Pins mergedPins(const Pins& mine, const Pins& other,
                              const std::vector<uint64_t>& known);

}  // namespace tilestep::model
