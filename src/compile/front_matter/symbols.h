// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "ptx/ir.h"

namespace tilestep::compile {

/// The source name of a PTX symbol without template arguments: "_Z6kernelILi16EEvPf" becomes
/// "kernel"; other symbols as by ptx::displayName.
[[nodiscard]] std::string plainName(std::string_view symbol);

/// Renames functions, also in their declarations and in the initialisers of variables: `void
/// (*chosen)(float*) = scale;` is a variable that names one.
void renameFunctions(ptx::Module& module, const std::map<std::string, std::string>& names);

/// Gives every __global__ function its plain name, if that is unique.
void usePlainEntryNames(ptx::Module& module);

}  // namespace tilestep::compile
