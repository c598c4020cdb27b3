// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"

/// Which of a file's `__global__` functions a kernel launches.
namespace tilestep::compile {

/// The places of the entries' names in front matter.
struct EntryPlaces {
  std::string file;             ///< The .cu, or the .toml beside it.
  std::string_view text;        ///< That file's text.
  int entry = 0;                ///< The line of the key `entry`; 0: it is not there.
  std::vector<int> ofLaunches;  ///< Likewise, by launch.
};

/// Settles `spec.entry` and the launches' entries, which hold what front matter says, and
/// `spec.entryLine`. The only function of the file is meant, whatever is written, if the text
/// shows every function (kernel_heads.h). Among several it is KernelSource::entry, else the written
/// one, else the one of the file's name. What was not written or does not exist goes to
/// `spec.assumed`. Errors list the functions with their lines.
Status settleEntries(const KernelSource& source, const EntryPlaces& places, KernelSpec& spec);

/// `source` with `entry` as the function that a person asked for, or with none where that is the
/// function that is launched anyway: then it is the same kernel.
[[nodiscard]] KernelSource withEntry(KernelSource source, const std::string& entry);

/// For a file without front matter: an Error where it is not clear which function is meant.
Status checkEntryIsClear(const KernelSource& source);

}  // namespace tilestep::compile
