// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"

/// Selects the `__global__` functions of a file that a kernel launches.
namespace tilestep::compile {

/// The places of the entries' names in front matter.
struct EntryPlaces {
  std::string file;             ///< The .cu, or the .toml beside it.
  std::string_view text;        ///< That file's text.
  int entry = 0;                ///< The line of the key `entry`; 0: absent.
  std::vector<int> ofLaunches;  ///< Likewise, by launch.
};

/// Resolves `spec.entry` and the launches' entries, which contain the names from front matter, and
/// sets `spec.entryLine`. If the text shows every function (kernel_heads.h) and there is only one,
/// it is selected regardless of the written name. Among several the choice is KernelSource::entry,
/// else the written name, else the file's name. Missing or wrong names are recorded in
/// `spec.assumed`. Errors list the functions with their lines.
Status settleEntries(const KernelSource& source, const EntryPlaces& places, KernelSpec& spec);

/// `source` with `entry` as the requested function, or without a request if that function would be
/// launched anyway, so that both are the same kernel.
[[nodiscard]] KernelSource withEntry(KernelSource source, const std::string& entry);

/// For a file without front matter: an Error if the choice of the function is ambiguous.
Status checkEntryIsClear(const KernelSource& source);

}  // namespace tilestep::compile
