// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_parts.h"

#include <algorithm>
#include <utility>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/counted.h"

namespace tilestep::ptx {
namespace {

std::string at(const Instruction& instruction) {
  return " at PTX line " + std::to_string(instruction.ptxLine);
}

/// The called function, if it has a body.
const Function* calleeOf(const Module& module, const Instruction& instruction) {
  if (instruction.opcode != Opcode::call) return nullptr;
  for (const Operand& operand : instruction.operands) {
    if (operand.kind != Operand::Kind::symbol) continue;
    const Function* callee = module.find(operand.name);
    if (callee != nullptr && !callee->isExtern) return callee;
  }
  return nullptr;
}

}  // namespace

std::string number(uint64_t value) {
  return std::to_string(value);
}

void append(Lines& out, Lines more) {
  for (std::string& line : more) out.push_back(std::move(line));
}

Module withoutLines(Module module) {
  module.files.clear();
  for (Function& function : module.functions) {
    for (Instruction& instruction : function.body) {
      instruction.source = {};
      instruction.outerLine = {};
    }
  }
  return module;
}

std::optional<std::string> threadLimit(const Function& entry, uint64_t threads) {
  const bool isBounded =
      std::any_of(entry.directives.begin(), entry.directives.end(), [](const auto& d) {
        return d.find(".maxntid") != std::string::npos || d.find(".reqntid") != std::string::npos;
      });
  if (isBounded) return {};
  // The limit applies to the product of the three numbers.
  return ".maxntid " + std::to_string(threads) + ", 1, 1";
}

Lines numberThreads() {
  return {"mov.u32 %tstep_t0, %ctaid.z;",
          "mov.u32 %tstep_t1, %nctaid.y;",
          "mov.u32 %tstep_t2, %ctaid.y;",
          "mad.lo.u32 %tstep_t0, %tstep_t0, %tstep_t1, %tstep_t2;",
          "mov.u32 %tstep_t1, %nctaid.x;",
          "mov.u32 %tstep_t2, %ctaid.x;",
          "mad.lo.u32 %tstep_t0, %tstep_t0, %tstep_t1, %tstep_t2;",
          "mov.u32 %tstep_t3, %tid.z;",
          "mov.u32 %tstep_t1, %ntid.y;",
          "mov.u32 %tstep_t2, %tid.y;",
          "mad.lo.u32 %tstep_t3, %tstep_t3, %tstep_t1, %tstep_t2;",
          "mov.u32 %tstep_t4, %ntid.x;",
          "mov.u32 %tstep_t2, %tid.x;",
          "mad.lo.u32 %tstep_t3, %tstep_t3, %tstep_t4, %tstep_t2;",
          "mul.lo.u32 %tstep_t4, %tstep_t4, %tstep_t1;",
          "mov.u32 %tstep_t1, %ntid.z;",
          "mad.lo.u32 %tstep_t4, %tstep_t4, %tstep_t1, 31;",
          "shr.u32 %tstep_t4, %tstep_t4, 5;"};
}

std::optional<std::string> whyNotFollowed(const Module& module, const Function& entry) {
  for (const Instruction& instruction : entry.body) {
    const Function* callee = calleeOf(module, instruction);
    if (callee != nullptr) return "it calls " + callee->name + at(instruction);
    if (instruction.opcode == Opcode::brx) return "it has an indexed branch" + at(instruction);
  }
  if (entry.body.empty()) return "it has no instructions";
  const Instruction& last = entry.body.back();
  const bool ends =
      last.guard.reg == kNone && (isExit(last) || isBranch(last) || last.opcode == Opcode::trap);
  if (!ends) return "it runs past its end" + at(last);
  return {};
}

}  // namespace tilestep::ptx
