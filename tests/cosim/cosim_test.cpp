// SPDX-License-Identifier: Apache-2.0
// Compares every form of every per-lane instruction in the interpreter with an H200's answers.
#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "cosim/kept_answers.h"
#include "simt/decode/emitter.h"

namespace tilestep::cosim::cosim_test {

TEST(Cosim, AllFormsDiffer) {
  std::set<std::string> texts;
  for (const Form& form : forms()) {
    EXPECT_TRUE(texts.insert(form.text).second) << form.text << " occurs twice";
  }
  EXPECT_EQ(keptAnswerCount(), forms().size());
}

TEST(Cosim, TheInterpreterAnswersLikeTheGpu) {
  for (const simt::Engine* engine : simt::engines()) {
    size_t failures = 0;
    for (const Form& form : forms()) {
      const std::string failure = failureOf(form, *engine);
      if (failure.empty()) continue;
      if (++failures <= 20) ADD_FAILURE() << engine->name << ": " << failure;
    }
    EXPECT_EQ(failures, 0U) << engine->name << ", of " << forms().size() << " forms";
  }
}

TEST(Cosim, EveryDecodedRootHasAForm) {
  std::set<std::string_view> roots;
  for (const Form& form : forms()) {
    std::string_view text = form.text;
    for (size_t at = 0; at != std::string_view::npos && at < text.size();) {
      roots.insert(text.substr(at, text.find_first_of(". ", at) - at));
      at = text.find("; ", at);
      if (at != std::string_view::npos) at += 2;
    }
  }
  for (auto id = 1; id <= static_cast<int>(ptx::Opcode::vsub4); ++id) {
    const auto opcode = static_cast<ptx::Opcode>(id);
    const bool mine = simt::decodeArithmetic(opcode) || simt::decodeBits(opcode) ||
                      simt::decodeCarry(opcode) || simt::decodeCompare(opcode) ||
                      simt::decodeConvert(opcode) || opcode == ptx::Opcode::mov;
    EXPECT_TRUE(!mine || roots.contains(ptx::toText(opcode))) << ptx::toText(opcode);
  }
}

}  // namespace tilestep::cosim::cosim_test
