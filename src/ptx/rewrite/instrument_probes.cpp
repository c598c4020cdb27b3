// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_probes.h"

#include <algorithm>

#include "ptx/text/printer.h"

namespace tilestep::ptx {
namespace {

Error missing(std::string_view what) {
  return workError("kernels/probes/count.cu does not define " + std::string(what) +
                   ", which counting on a GPU needs.");
}

}  // namespace

Result<std::string> Probes::merged(const Module& module) {
  for (const std::string_view name : {kAppendWay, kAppendRoot}) {
    const Function* function = module.find(name);
    if (function == nullptr || function->isExtern) return missing(name);
  }
  const bool hasMultipliers = std::any_of(module.variables.begin(), module.variables.end(),
                                          [](const Variable& v) { return v.name == kMultipliers; });
  if (!hasMultipliers) return missing(kMultipliers);
  Module part;
  part.variables = module.variables;
  for (const Function& function : module.functions) {
    if (function.isEntry) continue;
    part.functions.push_back(function);
    // The probes' line information would refer to files that the kernel does not have.
    for (Instruction& instruction : part.functions.back().body) {
      instruction.source = {};
      instruction.outerLine = {};
    }
  }
  const std::string text = print(part);
  const size_t header = text.find(".address_size");
  return text.substr(text.find('\n', header) + 1);
}

std::vector<std::string> callLines(std::string_view name, const std::vector<CallValue>& arguments) {
  std::vector<std::string> lines{"{"};
  std::string list;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string parameter = "tstep_p" + std::to_string(i);
    const std::string type = ".b" + std::to_string(arguments[i].bits);
    lines.push_back(".param " + type + " " + parameter + ";");
    lines.push_back("st.param" + type + " [" + parameter + "], " + arguments[i].text + ";");
    list += (i == 0 ? "" : ", ") + parameter;
  }
  lines.push_back("call " + std::string(name) + ", (" + list + ");");
  lines.push_back("}");
  return lines;
}

}  // namespace tilestep::ptx
