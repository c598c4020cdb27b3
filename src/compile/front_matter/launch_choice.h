// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <string>

#include "base/toml/toml_reader.h"
#include "compile/kernel.h"

/// Launches in other files than front matter: { n = 100, BLOCK = 64 }. toml++ is a heavy header:
/// include this in .cpp files only.
namespace tilestep::compile {

/// A table of sizes and tunables, which must be a legal launch of `kernel` on the interpreter. A
/// mistake becomes the reader's error, in which `what` names the launch: "a hidden launch".
LaunchChoice readLaunchChoice(TomlReader& reader, const toml::node& node, const std::string& what,
                              const KernelSpec& kernel);

}  // namespace tilestep::compile
