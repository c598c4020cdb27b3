// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Lines to insert into a function while it is printed. The module itself is not changed.
struct Weave {
  std::vector<std::string> declarations;                ///< After the function's own registers.
  std::vector<std::string> start;                       ///< Before its first instruction.
  std::map<uint32_t, std::vector<std::string>> before;  ///< By instruction index.
  std::map<uint32_t, std::vector<std::string>> after;   ///< By instruction index.
  std::vector<std::string> directives;                  ///< Beside .maxntid and the like.
  std::vector<std::string> parameters;                  ///< Appended to the parameter list.
  std::set<uint32_t>
      absent;  ///< Instructions that are not printed, although the code inserted around them is.
};

struct Edits {
  std::vector<std::string> moduleStart;    ///< After the header: declarations, whole functions.
  std::map<std::string, Weave> functions;  ///< By function name.
};

/// PTX text that parses to the same module (source lines included).
[[nodiscard]] std::string print(const Module& module, const Edits& edits = {});
[[nodiscard]] std::string print(const Instruction& instruction, const Function& function);

}  // namespace tilestep::ptx
