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

/// The tunables that were found to be the fastest, per kernel, device and sizes. Files are CSV with
/// a check on every line (docs/sweeps.md); the user's own are in stateFolder()/tuned, those that
/// are shipped in assets/tuned. The functions are for one thread.
namespace tilestep::lab {

struct Tuned {
  std::string kernel;
  uint64_t code = 0;   ///< programHashOf the kernel; nothing is known of changed ones.
  std::string device;  ///< Its name: "NVIDIA H200".
  compile::Bindings sizes, tunables;  ///< All of the kernel's.
  double medianMs = 0;                ///< Measured at these sizes.
  uint64_t timed = 0;                 ///< How many candidates were timed,
  uint64_t legal = 0;                 ///< of how many legal ones.
  std::string day;                    ///< "2026-11-21"
  bool operator==(const Tuned&) const = default;
};

/// Reads a file's text; `path` is for errors, which name the line. Any damage is an Error.
Result<std::vector<Tuned>> parseTuned(const std::string& path, std::string_view text);
[[nodiscard]] std::string tunedText(const std::vector<Tuned>& all);

/// Where to look, the user's own first; `home` as findHome() tells it.
[[nodiscard]] std::vector<std::filesystem::path> tunedFolders(const std::filesystem::path& home);

/// "60 timed of 3,570 legal"
[[nodiscard]] std::string searchedText(const Tuned& tuned);

struct KnownTuned {
  std::optional<Tuned> best;
  std::string damage;  ///< What is wrong with a file that was passed over; empty: nothing.
};

/// What is known for the kernel `spec` of this code (Tuned::code) on the device of this name: at
/// these sizes (names that are missing take the kernel's defaults), else at the nearest ones, the
/// fewest doublings away; Tuned::sizes tells which. Of each folder only the device's own file is
/// opened, as keepTuned names it; one that is not there holds nothing. Of two for the same sizes
/// the earlier folder's is taken. Lines whose tunables the kernel does not take are passed over,
/// and files that are damaged.
[[nodiscard]] KnownTuned tunedFor(const compile::KernelSpec& spec, uint64_t code,
                                  const std::string& deviceName, const compile::Bindings& sizes,
                                  const std::vector<std::filesystem::path>& folders);

/// What came of keeping a choice.
struct KeptTuned {
  std::optional<Tuned> older;  ///< An earlier choice that is faster and stays; else it was kept.
  std::string note;            ///< Why the file could not be locked, as FileLock::note() says it.
};

/// Puts it into the folder's file of its device, in place of what was known for the same kernel,
/// code and sizes, unless that is faster and the kernel `spec` still takes its tunables. Programs
/// that keep something at the same time wait for each other, for at most two seconds. Errors: a
/// file that is damaged or full is left as it is; nothing can be written; another program keeps
/// the file locked.
Result<KeptTuned> keepTuned(const std::filesystem::path& folder, const compile::KernelSpec& spec,
                            const Tuned& tuned);

}  // namespace tilestep::lab
