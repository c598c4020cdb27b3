// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <string>

#include "base/toml/toml_reader.h"
#include "compile/kernel.h"

/// Reads launches from files other than front matter: { n = 100, BLOCK = 64 }. toml++ is a heavy
/// header: include this file only in .cpp files.
namespace tilestep::compile {

/// Reads a table of sizes and tunables, which must be a legal launch of `kernel` in the
/// interpreter. Errors go to the reader and call the launch `what`: "a hidden launch".
LaunchChoice readLaunchChoice(TomlReader& reader, const toml::node& node, const std::string& what,
                              const KernelSpec& kernel);

}  // namespace tilestep::compile
