// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/front_matter/spec.h"
#include "compile/kernel.h"
#include "lab/sweep.h"

/// The kernel, sizes and tunables that a command line names.
namespace tilestep::app {

struct Kernel {
  compile::KernelSource source;
  compile::KernelSpec spec;
  std::optional<Error> hidden;  ///< About the user's file of the same name, which is ignored.
};

/// The folder of the user's own kernels; empty if unknown.
std::string ownKernelFolder();

/// Loads a kernel by its NAME, shipped or the user's own, or by the path of a .cu file. `entry`
/// chooses one of its functions; if empty, the front matter's choice or the only function is used.
Result<Kernel> loadKernel(const std::string& nameOrPath, const std::string& entry);
/// Like loadKernel, but does not check whether the kernel can be used.
Result<compile::KernelSource> readKernel(const std::string& nameOrPath, const std::string& entry);

/// A spec: FILE.toml, or the NAME of a kernel or an exercise.
Result<compile::Spec> loadSpec(const std::string& nameOrFile);

/// Loads a kernel whose front matter is replaced by `spec`: FILE.toml, or the NAME of a kernel or
/// an exercise.
Result<Kernel> loadKernel(const std::string& nameOrPath, const std::string& entry,
                          const std::string& spec);

/// Prints each assumption about information missing from the kernel's file on standard error, and a
/// note if a user's file is ignored.
void sayNotes(const Kernel& kernel);

/// The values of --entry, --size, --m, --n, --k and --set, as written.
struct Choice {
  std::string entry;                  ///< A function of the kernel's file; empty if not given.
  std::vector<std::string> sizes;     ///< "1024" or "NAME=V"
  std::string m, n, k;                ///< Empty if not given.
  std::vector<std::string> tunables;  ///< "NAME=V"
};

/// Sizes and tunables with their values. A bare size applies to m, n and k if the kernel has them,
/// otherwise to all of its sizes. Later options win. Errors: not NAME=VALUE, not whole numbers, or
/// a name that the kernel does not have.
struct Axes {
  std::vector<lab::Axis> sizes, tunables;
};
Result<Axes> axesOf(const Choice& choice, const compile::KernelSpec& spec);

/// Sizes and tunables of a single point. A list or a range is an error.
struct Chosen {
  compile::Bindings sizes, tunables;
};
Result<Chosen> chosenOf(const Choice& choice, const compile::KernelSpec& spec);

}  // namespace tilestep::app
