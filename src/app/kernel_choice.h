// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "lab/sweep.h"

/// The kernel, sizes and tunables that a command line names.
namespace tilestep::app {

struct Kernel {
  compile::KernelSource source;
  compile::KernelSpec spec;
};

/// NAME in the home's kernels/, or a path to a .cu file. `entry` chooses one of its functions;
/// empty: its front matter does, or there is one only.
Result<Kernel> loadKernel(const std::string& nameOrPath, const std::string& entry);
/// The same, without asking whether it can be used.
Result<compile::KernelSource> readKernel(const std::string& nameOrPath, const std::string& entry);

/// A line on standard error for each thing that the kernel's file does not say.
void sayAssumed(const Kernel& kernel);

/// What --entry, --size, --m, --n, --k and --set say, as written.
struct Choice {
  std::string entry;                  ///< A function of the kernel's file; empty: not given.
  std::vector<std::string> sizes;     ///< "1024" or "NAME=V"
  std::string m, n, k;                ///< Empty: not given.
  std::vector<std::string> tunables;  ///< "NAME=V"
};

/// Each of them with the values it takes; a bare size stands for m, n and k where the kernel has
/// them, else for all of its sizes. Later ones win. Errors: no NAME=VALUE, no whole numbers, a name
/// that the kernel does not have.
struct Axes {
  std::vector<lab::Axis> sizes, tunables;
};
Result<Axes> axesOf(const Choice& choice, const compile::KernelSpec& spec);

/// The same for one point: a list or a range is an error.
struct Chosen {
  compile::Bindings sizes, tunables;
};
Result<Chosen> chosenOf(const Choice& choice, const compile::KernelSpec& spec);

}  // namespace tilestep::app
