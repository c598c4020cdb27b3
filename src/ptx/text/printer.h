// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Lines to insert into a function when it is printed. The function itself does not change.
struct Weave {
  std::vector<std::string> declarations;                ///< After the function's own registers.
  std::vector<std::string> start;                       ///< Before its first instruction.
  std::map<uint32_t, std::vector<std::string>> before;  ///< By instruction index.
  std::map<uint32_t, std::vector<std::string>> after;   ///< By instruction index.
  std::vector<std::string> directives;                  ///< Such as .maxntid.
  std::vector<std::string> parameters;                  ///< Appended to the parameter list.
  /// Instructions that are not printed, although lines inserted around them are printed.
  std::set<uint32_t> absent;
};

struct Edits {
  std::vector<std::string> moduleStart;    ///< After the header: declarations or whole functions.
  std::map<std::string, Weave> functions;  ///< By function name.
};

/// PTX that parses to the same module, including source lines.
[[nodiscard]] std::string print(const Module& module, const Edits& edits = {});
[[nodiscard]] std::string print(const Instruction& instruction, const Function& function);

}  // namespace tilestep::ptx
