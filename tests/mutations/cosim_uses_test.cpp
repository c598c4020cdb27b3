// SPDX-License-Identifier: Apache-2.0
// Compares the operands in opcodes.def, for each form of each per-lane instruction, with those that
// the interpreter reads and writes.
#include <gtest/gtest.h>

#include <map>

#include "cosim/interpreter.h"
#include "cosim/kernel.h"
#include "ptx/analysis/uses.h"
#include "ptx/text/parser.h"
#include "support/claims.h"

namespace tilestep::cosim {
namespace cosim_uses_test {

using ptx::Opcode;
using support::Claims;

constexpr uint32_t kCases = 64;

struct Program {
  const Form* form = nullptr;
  ptx::Module module;
  std::vector<uint64_t> results;
};

std::vector<Program> programs(const std::vector<Form>& forms) {
  std::vector<Program> all;
  for (const Form& form : forms) {
    auto module = ptx::parse(moduleOf({&form, 1}), form.text);
    auto results = interpret(form, kCases);
    EXPECT_TRUE(module.ok() && results.ok()) << form.text;
    if (module && results) all.push_back({&form, std::move(*module), std::move(*results)});
  }
  return all;
}

bool isSameUnder(const Program& program, const Claims& claims) {
  const auto results =
      interpret(support::testedText(program.module, claims, true), *program.form, kCases);
  return results.ok() && *results == program.results;
}

/// By root: the programs of its own forms, and a few others where it stands beside the form.
std::multimap<Opcode, const Program*> usersOf(const std::vector<Program>& all) {
  std::multimap<Opcode, const Program*> users;
  for (const Program& program : all) {
    const std::string& text = program.form->text;
    for (const ptx::Instruction& i : program.module.functions.front().body) {
      const bool isOwn = text.starts_with(std::string(ptx::toText(i.opcode)) + ".");
      if (isOwn || users.count(i.opcode) < 8) users.emplace(i.opcode, &program);
    }
  }
  return users;
}

TEST(CosimUses, EachFormReadsAndWritesTheRegistersItIsSaidTo) {
  const std::vector<Form> forms = allForms();
  size_t wrong = 0;
  for (const Program& program : programs(forms)) {
    if (isSameUnder(program, {})) continue;
    if (++wrong <= 20) ADD_FAILURE() << program.form->text;
  }
  EXPECT_EQ(wrong, 0U) << "of " << forms.size() << " forms";
}

TEST(CosimUses, EachOperandTurnedOverIsSeen) {
  const std::vector<Form> forms = allForms();
  const std::vector<Program> all = programs(forms);
  const auto users = usersOf(all);
  size_t operands = 0;
  for (auto at = users.begin(); at != users.end(); at = users.upper_bound(at->first)) {
    const Opcode root = at->first;
    const std::string_view letters = ptx::useOf(root).operands;
    const ptx::Effect effect = ptx::useOf(root).effect;
    if (effect == ptx::Effect::leave || effect == ptx::Effect::branch) continue;
    for (size_t k = 0; k < letters.size(); ++k) {
      ++operands;
      bool seen = false;
      const auto [first, last] = users.equal_range(root);
      for (auto user = first; user != last && !seen; ++user) {
        seen = !isSameUnder(*user->second, {root, k});
      }
      // A load's third operand is a cache policy, which nothing here has.
      EXPECT_TRUE(seen || (root == Opcode::ld && k == 2)) << ptx::toText(root) << ", operand " << k;
    }
  }
  EXPECT_GT(operands, 100U);
}

}  // namespace cosim_uses_test
}  // namespace tilestep::cosim
