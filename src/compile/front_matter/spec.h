// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "compile/front_matter/front_matter.h"
#include "compile/kernel.h"

/// A spec: a kernel's interface, data and reference without its code. Any file can be run and
/// checked against a spec.
namespace tilestep::compile {

/// A parsed and checked spec.
struct Spec {
  FrontMatter front;  ///< From a .toml file or from a kernel.
  KernelSpec kernel;  ///< With the name and entry of that file.
};

/// A file combined with a spec, ready to run.
struct SpecifiedKernel {
  KernelSource source;  ///< The file's code with the spec's front matter.
  KernelSpec spec;      ///< `assumed` also lists ignored front matter.
};

/// Parses a spec in the format of front matter. Errors contain `file` and a line.
Result<Spec> parseSpec(std::string file, std::string toml);

/// A kernel's front matter as a spec. Fails if the kernel itself is invalid.
Result<Spec> specOf(const KernelSource& kernel);

/// Reads a spec from FILE.toml, or from the front matter of FILE.cu or of the kernel with this name
/// in one of kernelFolders().
Result<Spec> readSpec(const std::string& folder, const std::string& nameOrFile,
                      const std::string& own = {});

/// Combines `file` with the spec. Front matter in or beside the file is ignored. If the file has
/// only one `__global__` function, this is the entry, whatever its name. Among several functions,
/// the entry is the one that `file.entry` requests, or else the one with the name of the spec's
/// entry. If the spec's launches name several functions, the file must contain all of them.
/// Parameters are checked after the file is compiled (checkParameters()). Errors refer to a line of
/// the file or of the spec.
Result<SpecifiedKernel> withSpec(const KernelSource& file, const Spec& spec);

}  // namespace tilestep::compile
