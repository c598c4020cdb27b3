// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "compile/front_matter/front_matter.h"
#include "compile/kernel.h"

/// A kernel's interface, data and reference apart from its code, so that any file can be run and
/// judged by them.
namespace tilestep::compile {

/// The requirements of a file, which have been read and checked.
struct Spec {
  FrontMatter front;  ///< From a .toml file, or from the kernel that is the model.
  KernelSpec kernel;  ///< Its name and entry are those of that file.
};

/// A file under a spec, ready to be run.
struct SpecifiedKernel {
  KernelSource source;  ///< The file's code with the spec's front matter.
  KernelSpec spec;      ///< `assumed` also says which front matter was ignored.
};

/// The spec in a TOML file, which holds what front matter holds. Errors name `file` and a line.
Result<Spec> parseSpec(std::string file, std::string toml);

/// The spec that a kernel's front matter is. An Error where the kernel itself cannot be used.
Result<Spec> specOf(const KernelSource& kernel);

/// From FILE.toml, from the front matter of FILE.cu, or from that of the kernel with this name in
/// one of kernelFolders().
Result<Spec> readSpec(const std::string& folder, const std::string& nameOrFile,
                      const std::string& own = {});

/// Puts `file` under the spec: its own front matter, in its text or beside it, is ignored. Its only
/// `__global__` function is the entry, whatever the function is called. Of several it is the one
/// that `file.entry` asks for, else the one that is called as the spec's entry is. A spec whose
/// launches name several functions needs all of them. Whether the parameters fit is known when the
/// file has been compiled (checkParameters). Errors name the line in the file, or in the spec.
Result<SpecifiedKernel> withSpec(const KernelSource& file, const Spec& spec);

}  // namespace tilestep::compile
