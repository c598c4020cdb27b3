// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/definitions.h"

#include "ptx/analysis/uses.h"

namespace tilestep::ptx {

Definitions::Definitions(const Function& function, const ControlFlow& flow)
    : function_(function), flow_(flow) {
  collect();
  bits_ = solveBlocks(flow, Direction::forward, slots_.size(),
                      [&](uint32_t block, Bits& slots) { throughBlock(block, slots); });
}

void Definitions::collect() {
  byRegister_.resize(function_.registers.size());
  for (uint32_t i = 0; i < function_.body.size(); ++i) {
    first_.push_back(static_cast<uint32_t>(definitions_.size()));
    for (const uint32_t reg : writtenRegisters(function_.body[i])) {
      byRegister_[reg].push_back(static_cast<uint32_t>(definitions_.size()));
      definitions_.push_back({i, reg});
    }
  }
  first_.push_back(static_cast<uint32_t>(definitions_.size()));
  slotOf_.assign(definitions_.size(), kNone);
  for (uint32_t reg = 0; reg < byRegister_.size(); ++reg) {
    if (byRegister_[reg].size() < 2) continue;
    shared_.push_back(reg);
    for (const uint32_t definition : byRegister_[reg]) {
      slotOf_[definition] = static_cast<uint32_t>(slots_.size());
      slots_.push_back(definition);
    }
  }
}

void Definitions::throughBlock(uint32_t block, Bits& slots) const {
  for (uint32_t i = flow_.blocks[block].first; i < flow_.blocks[block].end; ++i) {
    const bool isSure = function_.body[i].guard.reg == kNone;
    for (uint32_t definition = first_[i]; definition < first_[i + 1]; ++definition) {
      if (slotOf_[definition] == kNone) continue;
      for (const uint32_t other : byRegister_[definitions_[definition].reg]) {
        if (isSure) slots[slotOf_[other]] = false;
      }
      slots[slotOf_[definition]] = true;
    }
  }
}

void Definitions::enter(uint32_t block, Sets& sets) const {
  for (const uint32_t reg : shared_) sets[reg].clear();
  for (size_t slot = 0; slot < slots_.size(); ++slot) {
    if (bits_.in[block][slot]) sets[definitions_[slots_[slot]].reg].push_back(slots_[slot]);
  }
}

void Definitions::apply(uint32_t instruction, Sets& sets) const {
  const bool isSure = function_.body[instruction].guard.reg == kNone;
  for (uint32_t definition = first_[instruction]; definition < first_[instruction + 1];
       ++definition) {
    if (slotOf_[definition] == kNone) continue;
    std::vector<uint32_t>& set = sets[definitions_[definition].reg];
    if (isSure) set.clear();
    set.push_back(definition);
  }
}

void Definitions::walk(const std::function<void(uint32_t, const Sets&)>& visit) const {
  Sets sets = byRegister_;
  for (uint32_t block = 0; block < flow_.blocks.size(); ++block) {
    enter(block, sets);
    for (uint32_t i = flow_.blocks[block].first; i < flow_.blocks[block].end; ++i) {
      visit(i, sets);
      apply(i, sets);
    }
  }
}

}  // namespace tilestep::ptx
