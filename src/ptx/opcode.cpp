// SPDX-License-Identifier: Apache-2.0
#include "ptx/opcode.h"

#include <array>
#include <unordered_map>

namespace tilestep::ptx {
namespace {

struct Row {
  std::string_view text;
  Form form;
  Use use;
};

constexpr Row kRows[] = {
    {"", Form::various, {}},
#define TILESTEP_OPCODE(id, text, form, operands, effect) \
  {text, Form::form, {operands, Effect::effect}},
#include "ptx/opcodes.def"
};

constexpr UseWith kUsesWithSuffix[] = {
#define TILESTEP_OPCODE_WITH(id, suffix, operands, effect) \
  {Opcode::id, suffix, {operands, Effect::effect}},
#include "ptx/opcodes.def"
};

constexpr auto kFormulas = [] {
  std::array<Formula, std::size(kRows)> formulas{};
#define TILESTEP_FORMULA(id, terms, facts) \
  formulas[static_cast<size_t>(Opcode::id)] = {terms, facts};
#include "ptx/opcodes.def"
  return formulas;
}();

const Row& rowOf(Opcode opcode) {
  return kRows[static_cast<size_t>(opcode)];
}

using Roots = std::unordered_map<std::string_view, Opcode>;

Roots makeRoots() {
  Roots roots;
  for (size_t i = 1; i < std::size(kRows); ++i) {
    roots.emplace(kRows[i].text, static_cast<Opcode>(i));
  }
  return roots;
}

// In the order of Form: minOperands, maxOperands, needsType, usesMemory.
constexpr FormRule kFormRules[] = {
    {0, 16, false, false},  // various
    {0, 0, false, false},   // bare
    {1, 1, false, false},   // single
    {2, 2, true, false},    // unary
    {3, 3, true, false},    // binary
    {4, 4, true, false},    // ternary
    {5, 5, true, false},    // quaternary
    {2, 4, true, false},    // convert: packing has a second source, .rs also has random bits
    {3, 4, true, false},    // compare: with or without a predicate to combine with
    {3, 4, true, false},    // extremum: two or three sources
    {5, 6, true, false},    // logic: lop3 with or without a predicate
    {4, 5, true, false},    // shuffle: with or without a member mask
    {2, 3, true, false},    // vote: with or without a member mask
    {2, 2, false, false},   // test: has a state space instead of a type
    {2, 4, true, true},     // load: with or without a cache policy
    {2, 4, true, true},     // store
    {3, 5, true, true},     // atomic
    {2, 4, true, true},     // reduction
    {1, 1, false, false},   // branch
    {2, 2, false, false},   // indexed: brx
    {1, 4, false, false},   // call
};
static_assert(std::size(kFormRules) == static_cast<size_t>(Form::call) + 1);

}  // namespace

std::string_view toText(Opcode opcode) {
  return rowOf(opcode).text;
}

Opcode opcodeOf(std::string_view root) {
  static const Roots roots = makeRoots();
  const auto found = roots.find(root);
  return found == roots.end() ? Opcode::none : found->second;
}

Form formOf(Opcode opcode) {
  return rowOf(opcode).form;
}
FormRule ruleOf(Form form) {
  return kFormRules[static_cast<size_t>(form)];
}
Use useOf(Opcode opcode) {
  return rowOf(opcode).use;
}
std::span<const UseWith> usesWithSuffix() {
  return kUsesWithSuffix;
}
Formula formulaOf(Opcode opcode) {
  return kFormulas[static_cast<size_t>(opcode)];
}

}  // namespace tilestep::ptx
