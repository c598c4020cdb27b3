// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "lab/points/database.h"

/// The fastest known tunables, by kernel, device and sizes (docs/sweeps.md). The user's own are in
/// the database of points; the shipped ones are CSV files in assets/tuned.
namespace tilestep::lab {

struct Tuned {
  std::string kernel;
  uint64_t code = 0;                  ///< programHashOf the kernel when it was searched.
  std::string device;                 ///< Its name: "NVIDIA H200".
  compile::Bindings sizes, tunables;  ///< All of the kernel's.
  double medianMs = 0;                ///< Measured at these sizes.
  uint64_t timed = 0;                 ///< The number of candidates timed.
  uint64_t legal = 0;                 ///< The number of legal candidates.
  std::string day;                    ///< "2026-11-21"
  bool operator==(const Tuned&) const = default;
};

/// Parses a CSV file's text; columns after the known ones are ignored. `path` is for errors, which
/// name the line.
Result<std::vector<Tuned>> parseTuned(const std::string& path, std::string_view text);

/// The folder of the shipped files; `home` as findHome() returns it.
[[nodiscard]] std::filesystem::path shippedTuned(const std::filesystem::path& home);

/// "60 timed of 3,570 legal"
[[nodiscard]] std::string searchedText(const Tuned& tuned);

/// All known choices for one device, the user's own first.
struct DeviceTuned {
  std::vector<Tuned> all;
  std::string damage;  ///< Why a file or a row is not used; empty if all are used.
};

/// Reads the device's rows and its shipped file, and imports the CSV file of an earlier version.
/// `own` may be null, and `shipped` empty. A damaged file or row does not hide the others.
[[nodiscard]] DeviceTuned readTuned(const Database* own, const std::filesystem::path& shipped,
                                    const std::string& device);

/// readTuned() with the file of the user's points, for a command. `home` as findHome() returns it.
[[nodiscard]] DeviceTuned tunedHere(const std::filesystem::path& home, const std::string& device);

/// The known choice for the kernel with this code (Tuned::code) at these sizes, or else at the
/// nearest sizes, which are the fewest doublings away. Of equally near choices, the first is
/// returned. Missing sizes get the kernel's defaults. Choices that are illegal for the kernel are
/// ignored.
[[nodiscard]] std::optional<Tuned> bestTuned(const compile::KernelSpec& spec, uint64_t code,
                                             const compile::Bindings& sizes,
                                             const DeviceTuned& known);

/// Stores a choice in place of the older one for the same kernel, code, device and sizes. If the
/// older one is faster and still legal for the kernel, it stays and is returned. Errors: invalid
/// values; the database cannot be written.
Result<std::optional<Tuned>> keepTuned(const Database& own, const compile::KernelSpec& spec,
                                       const Tuned& tuned);

}  // namespace tilestep::lab
