// SPDX-License-Identifier: Apache-2.0
#include "checkers/ptx_mutants.h"

#include <algorithm>
#include <map>

namespace tilestep::checkers {
namespace {

using ptx::Compare;
using ptx::Instruction;
using ptx::Opcode;

bool isBarrier(const Instruction& i) {
  return i.opcode == Opcode::bar || i.opcode == Opcode::barrier;
}

bool isAccess(const Instruction& i) {
  const bool accesses = i.opcode == Opcode::ld || i.opcode == Opcode::st ||
                        i.opcode == Opcode::atom || i.opcode == Opcode::red;
  return accesses && (i.space == ptx::Space::global || i.space == ptx::Space::shared ||
                      i.space == ptx::Space::generic);
}

Compare movedByOne(const Instruction& i) {
  if (i.opcode != Opcode::setp || ptx::isFloat(i.type)) return Compare::none;
  switch (i.compare) {
    case Compare::lt:
      return Compare::le;
    case Compare::le:
      return Compare::lt;
    case Compare::gt:
      return Compare::ge;
    case Compare::ge:
      return Compare::gt;
    case Compare::lo:
      return Compare::ls;
    case Compare::ls:
      return Compare::lo;
    case Compare::hi:
      return Compare::hs;
    case Compare::hs:
      return Compare::hi;
    default:
      return Compare::none;
  }
}

void forgetTarget(ptx::Operand& operand, uint32_t erased) {
  if (operand.target != ptx::kNone && operand.target > erased) --operand.target;
  for (ptx::Operand& element : operand.elements) forgetTarget(element, erased);
}

void erase(ptx::Function& function, uint32_t at) {
  function.body.erase(function.body.begin() + at);
  for (ptx::Label& label : function.labels) label.at -= label.at > at;
  for (Instruction& instruction : function.body) {
    for (ptx::Operand& operand : instruction.operands) forgetTarget(operand, at);
  }
}

ptx::Operand* addressOf(Instruction& instruction) {
  for (ptx::Operand& operand : instruction.operands) {
    if (operand.kind == ptx::Operand::Kind::address) return &operand;
  }
  return nullptr;
}

std::string textOf(const Instruction& instruction) {
  std::string text = "line " + std::to_string(instruction.outerLine.line) + ": " +
                     std::string(ptx::toText(instruction.opcode));
  for (const std::string& suffix : instruction.suffixes) text += "." + suffix;
  return text;
}

class Mutator {
 public:
  explicit Mutator(const ptx::Module& module) : module_(module) {}

  std::vector<PtxMutant> run() {
    for (number_ = 0; number_ < module_.functions.size(); ++number_) {
      const auto& body = module_.functions[number_].body;
      std::map<uint32_t, std::vector<uint32_t>> byAddress;
      for (uint32_t at = 0; at < body.size(); ++at) one(at, byAddress);
      for (const auto& [reg, accesses] : byAddress) {
        if (reg == ptx::kNone || accesses.size() < 2) continue;
        shift("address shifted", accesses, 1);
        shift("address shifted", accesses, -1);
      }
    }
    return std::move(mutants_);
  }

 private:
  void one(uint32_t at, std::map<uint32_t, std::vector<uint32_t>>& byAddress) {
    const Instruction& i = module_.functions[number_].body[at];
    if (isBarrier(i)) add("barrier deleted", textOf(i), {at}, [&](auto& f) { erase(f, at); });
    if (const Compare moved = movedByOne(i); moved != Compare::none) {
      add("comparison moved", textOf(i), {at}, [&](auto& f) { f.body[at].compare = moved; });
    }
    if (!isAccess(i)) return;
    for (const ptx::Operand& operand : i.operands) {
      if (operand.kind == ptx::Operand::Kind::address) byAddress[operand.reg].push_back(at);
    }
    shift("access shifted", {at}, 1);
    shift("access shifted", {at}, -1);
  }

  void shift(const std::string& what, const std::vector<uint32_t>& accesses, int elements) {
    const Instruction& first = module_.functions[number_].body[accesses[0]];
    const int64_t bytes = elements * static_cast<int64_t>(ptx::bytesOf(first.type));
    const std::string sign = bytes > 0 ? " + " : " - ";
    add(what, textOf(first) + sign + std::to_string(std::abs(bytes)), accesses,
        [&](ptx::Function& f) {
          for (const uint32_t at : accesses) {
            if (ptx::Operand* address = addressOf(f.body[at])) address->offset += bytes;
          }
        });
  }

  template <class Change>
  void add(const std::string& what, const std::string& where,
           const std::vector<uint32_t>& instructions, Change change) {
    auto changed = std::make_shared<ptx::Module>(module_);
    change(changed->functions[number_]);
    mutants_.push_back({what, where, std::move(changed), {}});
    for (const uint32_t at : instructions) mutants_.back().at.emplace_back(number_, at);
  }

  const ptx::Module& module_;
  size_t number_ = 0;
  std::vector<PtxMutant> mutants_;
};

}  // namespace

std::shared_ptr<const ptx::Module> trapAt(const ptx::Module& module, const PtxMutant& mutant) {
  auto changed = std::make_shared<ptx::Module>(module);
  for (const auto& [function, at] : mutant.at) {
    Instruction& instruction = changed->functions[function].body[at];
    Instruction trap;
    trap.opcode = Opcode::trap;
    trap.guard = instruction.guard;
    instruction = trap;
  }
  return changed;
}

std::vector<PtxMutant> ptxMutantsOf(const ptx::Module& module) {
  return Mutator(module).run();
}

}  // namespace tilestep::checkers
