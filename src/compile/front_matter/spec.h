// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "compile/front_matter/front_matter.h"
#include "compile/kernel.h"

/// A kernel's interface, data and reference separate from its code, for running and checking any
/// file against them.
namespace tilestep::compile {

/// The requirements on a file, parsed and checked.
struct Spec {
  FrontMatter front;  ///< From a .toml file, or from the model kernel.
  KernelSpec kernel;  ///< Its name and entry are those of that file.
};

/// A file under a spec, ready to run.
struct SpecifiedKernel {
  KernelSource source;  ///< The file's code with the spec's front matter.
  KernelSpec spec;      ///< `assumed` also says which front matter was ignored.
};

/// The spec in a TOML file, which has the format of front matter. Errors name `file` and a line.
Result<Spec> parseSpec(std::string file, std::string toml);

/// A kernel's front matter as a spec. An Error if the kernel itself is invalid.
Result<Spec> specOf(const KernelSource& kernel);

/// From FILE.toml, from the front matter of FILE.cu, or from that of the kernel with this name in
/// one of kernelFolders().
Result<Spec> readSpec(const std::string& folder, const std::string& nameOrFile,
                      const std::string& own = {});

/// Puts `file` under the spec: its own front matter, in its text or beside it, is ignored. Its only
/// `__global__` function is the entry, whatever its name. Among several, the entry is the one that
/// `file.entry` requests, else the one with the name of the spec's entry. A spec whose launches
/// name several functions requires all of them. Parameters are checked after compiling the file
/// (checkParameters). Errors name the line in the file, or in the spec.
Result<SpecifiedKernel> withSpec(const KernelSource& file, const Spec& spec);

}  // namespace tilestep::compile
