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

enum class PinOrigin : uint8_t { measured, recorded, interpreter };
inline constexpr size_t kPinOrigins = 3;
[[nodiscard]] const char* nameOf(PinOrigin origin);

struct PinnedTime {
  double medianMs = 0, minMs = 0, p10Ms = 0, p90Ms = 0;
  uint32_t repetitions = 0;  ///< The number of samples; each is the mean over `batch` runs.
  uint32_t batch = 1;
  std::optional<double> coldMedianMs;
  std::string method;
  bool operator==(const PinnedTime&) const = default;
};

/// A pinned run: the launch, and all its figures at the time of pinning.
struct Pin {
  uint64_t id = 0;  ///< Random, so that no two windows assign the same id; never 0.
  std::string name;
  unsigned colour = 0;  ///< Index into the palette's categories, below kPinColours.
  std::string pinned;   ///< Time of pinning, in UTC: "2026-11-21T15:02:11Z".
  std::string kernel;
  std::string kernelFile;  ///< The kernel's path if the kernel was given by path; otherwise empty.
  std::string entry;       ///< The chosen entry function; empty if none was chosen.
  uint64_t codeHash = 0;   ///< Hash of the program at that time (lab::codeHashOf); 0 if unknown.
  compile::Bindings sizes, tunables;
  Dim3 grid{1, 1, 1}, block{1, 1, 1};  ///< Grid and block of the first launch.
  /// The device's id: "cuda:0", "recorded:nvidia-h200", "simt".
  std::string device;
  std::string deviceName, driver;  ///< `driver` may be empty.
  /// Identifies the device among devices with the same name, as in Machine; empty and 0 if unknown.
  std::string identity;
  uint32_t machines = 0, machineNumber = 0;
  PinOrigin origin = PinOrigin::interpreter;
  std::string madeOn;  ///< The day on which its figures were taken: "2026-11-21".
  std::optional<PinnedTime> time;
  /// Bytes and operations. The time is in `time`.
  metrics::RooflineWork work;
  std::optional<uint32_t> registers;
  uint32_t sharedBytes = 0;
  std::optional<double> occupancy, achieved;  ///< Theoretical and measured occupancy, as shares.
  bool operator==(const Pin&) const = default;

  [[nodiscard]] Machine machine() const;
  /// FLOP divided by the median time, in units of 1e9 per second.
  [[nodiscard]] std::optional<double> gflops() const;
  /// `work` with the seconds of `time`, for the roofline.
  [[nodiscard]] metrics::RooflineWork timedWork() const;
};
inline constexpr unsigned kPinColours = 8;
inline constexpr size_t kMostPins = 64;

/// All pinned runs, in the order of pinning. Immutable once shared; a change creates a new value.
struct Pins {
  static constexpr int kVersion = 1;
  std::vector<Pin> pins;
  uint64_t base = 0;  ///< The pin that the others are compared with; 0 if none was chosen.
  bool operator==(const Pins&) const = default;

  [[nodiscard]] const Pin* find(uint64_t id) const;
  /// The chosen base, or the first pin if none was chosen or it no longer exists; null if nothing
  /// is pinned.
  [[nodiscard]] const Pin* baseOrFirst() const;
};

using PinsPointer = std::shared_ptr<const Pins>;

/// Formats the pins as TOML; parsePins reads an equal value back.
[[nodiscard]] std::string toToml(const Pins& pins);
/// Parses untrusted text. Unknown keys, wrong types and out-of-range values are errors with file,
/// line and reason.
Result<Pins> parsePins(std::string_view text, const std::string& file);

/// Merges the changes from `before` to `mine` into `theirs`. A pin that was added, changed or
/// removed in `mine` is taken from `mine`, and every other pin from `theirs`. The same holds for
/// the chosen base; if the base's pin no longer exists, the base is reset. The order is that of
/// `mine`, followed by that of `theirs`. The result may exceed kMostPins.
[[nodiscard]] Pins mergedPins(const Pins& before, const Pins& mine, const Pins& theirs);

}  // namespace tilestep::model
