// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "ptx/ir.h"

namespace tilestep::compile {

/// Like ptx::displayName(), but without template arguments: "_Z6kernelILi16EEvPf" becomes "kernel".
[[nodiscard]] std::string plainName(std::string_view symbol);

/// Renames functions, including their declarations and their uses in initialisers, such as
/// `void (*chosen)(float*) = scale;`.
void renameFunctions(ptx::Module& module, const std::map<std::string, std::string>& names);

/// Renames every __global__ function to its plain name, if this name is unique.
void usePlainEntryNames(ptx::Module& module);

}  // namespace tilestep::compile
