// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"

/// Determines which `__global__` functions of a file a kernel launches.
namespace tilestep::compile {

/// The lines of the entries' names in the front matter.
struct EntryPlaces {
  std::string file;             ///< The .cu file, or the .toml file beside it.
  std::string_view text;        ///< That file's text.
  int entry = 0;                ///< The line of the key `entry`; 0 if absent.
  std::vector<int> ofLaunches;  ///< The same for each launch.
};

/// Resolves `spec.entry` and the launches' entries, which contain the names from the front matter,
/// and sets `spec.entryLine`. If all functions are visible in the source (kernel_heads.h) and there
/// is only one, it is selected regardless of the written name. Among several functions, the choice
/// is KernelSource::entry, or else the written name, or else the file's name. Replaced names are
/// recorded in `spec.assumed`. Errors list the functions with their lines.
Status settleEntries(const KernelSource& source, const EntryPlaces& places, KernelSpec& spec);

/// `source` with `entry` as the requested function. If this function would be launched anyway, the
/// result contains no request, so that both sources are the same kernel.
[[nodiscard]] KernelSource withEntry(KernelSource source, const std::string& entry);

/// Fails if the function of a file without front matter is ambiguous or missing.
Status checkEntryIsClear(const KernelSource& source);

}  // namespace tilestep::compile
