// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "ptx/ir.h"

namespace tilestep::compile {

/// The name in the source of a symbol in PTX, without template arguments:
/// "_Z6kernelILi16EEvPf" is "kernel"; else as ptx::displayName.
[[nodiscard]] std::string plainName(std::string_view symbol);

/// Gives functions other names, in their declarations and in the initialisers of variables, too:
/// `void (*chosen)(float*) = scale;` is a variable that names one.
void renameFunctions(ptx::Module& module, const std::map<std::string, std::string>& names);

/// Gives every __global__ function its plain name, where no other has the same one.
void usePlainEntryNames(ptx::Module& module);

}  // namespace tilestep::compile
