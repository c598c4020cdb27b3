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

/// Loads a kernel: the NAME of one that comes with Tilestep or of the user's own, or a path to a
/// .cu file. `entry` chooses one of its functions; empty: the one named in the front matter, or the
/// only one.
Result<Kernel> loadKernel(const std::string& nameOrPath, const std::string& entry);
/// The same, without checking whether the kernel can be used.
Result<compile::KernelSource> readKernel(const std::string& nameOrPath, const std::string& entry);

/// A spec: FILE.toml, or the NAME of a kernel or an exercise.
Result<compile::Spec> loadSpec(const std::string& nameOrFile);

/// The same under a spec, FILE.toml or the NAME of a kernel or an exercise, which replaces the
/// file's front matter.
Result<Kernel> loadKernel(const std::string& nameOrPath, const std::string& entry,
                          const std::string& spec);

/// Prints a line on standard error for each assumption about information missing from the kernel's
/// file, and one for a user's file that is ignored.
void sayNotes(const Kernel& kernel);

/// The values of --entry, --size, --m, --n, --k and --set, as written.
struct Choice {
  std::string entry;                  ///< A function of the kernel's file; empty: not given.
  std::vector<std::string> sizes;     ///< "1024" or "NAME=V"
  std::string m, n, k;                ///< Empty: not given.
  std::vector<std::string> tunables;  ///< "NAME=V"
};

/// Sizes and tunables with their values. A bare size applies to m, n and k if the kernel has them,
/// otherwise to all of its sizes. Later options win. Errors: not NAME=VALUE, not whole numbers, or
/// a name that the kernel does not have.
struct Axes {
  std::vector<lab::Axis> sizes, tunables;
};
Result<Axes> axesOf(const Choice& choice, const compile::KernelSpec& spec);

/// The same for a single point: a list or a range is an error.
struct Chosen {
  compile::Bindings sizes, tunables;
};
Result<Chosen> chosenOf(const Choice& choice, const compile::KernelSpec& spec);

}  // namespace tilestep::app
