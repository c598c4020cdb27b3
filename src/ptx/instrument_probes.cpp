// SPDX-License-Identifier: Apache-2.0
#include "ptx/instrument_probes.h"

#include <algorithm>
#include <array>

#include "ptx/instrument.h"
#include "ptx/instrument_access.h"
#include "ptx/printer.h"
#include "ptx/register_text.h"

namespace tilestep::ptx {
namespace {

constexpr std::array kCopied = {Probes::kFirstInSector, Probes::kFirstAtAddress,
                                Probes::kFirstInWavefront, Probes::kFewestWavefronts};
constexpr std::array kCalled = {Probes::kEmit, Probes::kFinish};

Error missing(std::string_view what) {
  return workError("kernels/probes/count.cu lacks " + std::string(what) +
                   ", which counting on a GPU needs.");
}

/// A function fit for copying: one way in, one way out, one result.
bool isSimple(const Function& function) {
  if (function.body.empty() || function.results.size() != 1) return false;
  const auto exits = std::count_if(function.body.begin(), function.body.end(), isExit);
  return exits == 1 && isExit(function.body.back()) && function.variables.empty();
}

/// The function with registers and labels of names that a kernel does not use.
Function renamed(const Function& function, uint32_t serial) {
  Function copy = function;
  for (Register& reg : copy.registers) reg.name = "%tstep_in_" + reg.name.substr(1);
  const auto rename = [&](std::string& name) {
    name = "$tstep_in_" + std::to_string(serial) + "_" +
           (name.front() == '$' ? name.substr(1) : name);
  };
  for (Label& label : copy.labels) rename(label.name);
  for (Instruction& instruction : copy.body) {
    for (Operand& operand : instruction.operands) {
      if (operand.kind == Operand::Kind::label) rename(operand.name);
    }
  }
  return copy;
}

/// The position of the parameter that an `ld.param` reads; parameters.size() when it reads none.
size_t parameterRead(const Function& function, const Instruction& instruction) {
  const bool reads = instruction.opcode == Opcode::ld && instruction.space == Space::param;
  if (!reads) return function.parameters.size();
  const auto found =
      std::find_if(function.parameters.begin(), function.parameters.end(),
                   [&](const Parameter& p) { return p.name == instruction.operands[1].name; });
  return static_cast<size_t>(found - function.parameters.begin());
}

bool writesResult(const Instruction& instruction) {
  return instruction.opcode == Opcode::st && instruction.space == Space::param;
}

std::string moveLine(const Instruction& instruction, const std::string& to,
                     const std::string& from) {
  return "mov." + std::string(toText(instruction.type)) + " " + to + ", " + from + ";";
}

}  // namespace

Result<Probes> Probes::read(const Module& module) {
  for (const std::string_view name : kCopied) {
    const Function* function = module.find(name);
    if (function == nullptr || !isSimple(*function)) return missing(name);
  }
  for (const std::string_view name : kCalled) {
    const Function* function = module.find(name);
    if (function == nullptr || function->isExtern) return missing(name);
  }
  const bool hasTable =
      std::any_of(module.variables.begin(), module.variables.end(),
                  [](const Variable& v) { return v.name == CountTable::kSymbol; });
  if (!hasTable) return missing(CountTable::kSymbol);
  return Probes(module);
}

std::string Probes::merged() const {
  Module part;
  part.variables = module_->variables;
  for (const Function& function : module_->functions) {
    const bool isCopied =
        std::find(kCopied.begin(), kCopied.end(), function.name) != kCopied.end();
    if (isCopied || function.isEntry) continue;
    part.functions.push_back(function);
    // The probes' lines are none of the kernel's.
    for (Instruction& instruction : part.functions.back().body) {
      instruction.source = {};
      instruction.outerLine = {};
    }
  }
  const std::string text = print(part);
  const size_t header = text.find(".address_size");
  const size_t end = header == std::string::npos ? header : text.find('\n', header);
  return end == std::string::npos ? text : text.substr(end + 1);
}

std::vector<std::string> Probes::copyIn(std::string_view name,
                                        const std::vector<std::string>& arguments,
                                        const std::string& result, uint32_t serial) const {
  const Function function = renamed(*module_->find(name), serial);
  std::vector<std::string> lines{"{"};
  for (std::string& line : registerDeclarations(function)) lines.push_back(std::move(line));
  size_t label = 0;
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    const Instruction& instruction = function.body[i];
    for (; label < function.labels.size() && function.labels[label].at <= i; ++label) {
      lines.push_back(function.labels[label].name + ":");
    }
    const size_t parameter = parameterRead(function, instruction);
    if (parameter < function.parameters.size()) {
      lines.push_back(moveLine(instruction,
                               function.registers[instruction.operands[0].reg].name,
                               arguments[parameter]));
    } else if (writesResult(instruction)) {
      lines.push_back(moveLine(instruction, result,
                               function.registers[instruction.operands[1].reg].name));
    } else if (!isExit(instruction)) {
      lines.push_back(print(instruction, function));
    }
  }
  lines.push_back("}");
  return lines;
}

std::vector<std::string> callLines(std::string_view name,
                                   const std::vector<std::string>& arguments) {
  std::vector<std::string> lines{"{"};
  std::string list;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string parameter = "tstep_p" + std::to_string(i);
    lines.push_back(".param .b32 " + parameter + ";");
    lines.push_back("st.param.b32 [" + parameter + "], " + arguments[i] + ";");
    list += (i == 0 ? "" : ", ") + parameter;
  }
  lines.push_back("call " + std::string(name) + ", (" + list + ");");
  lines.push_back("}");
  return lines;
}

}  // namespace tilestep::ptx
