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

namespace tilestep::cosim::cosim_uses_test {

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

TEST(CosimUses, FormsUseTheRegistersInTheTable) {
  const std::vector<Form> forms = allForms();
  size_t wrong = 0;
  for (const Program& program : programs(forms)) {
    if (isSameUnder(program, {})) continue;
    if (++wrong <= 20) ADD_FAILURE() << program.form->text;
  }
  EXPECT_EQ(wrong, 0U) << "of " << forms.size() << " forms";
}

}  // namespace tilestep::cosim::cosim_uses_test
