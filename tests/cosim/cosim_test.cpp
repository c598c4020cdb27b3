// SPDX-License-Identifier: Apache-2.0
// Every form of every per-lane instruction, in the interpreter, against what an H200 answered.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>

#include "cosim/interpreter.h"
#include "cosim/report.h"
#include "simt/decode/emitter.h"
#include "simt/engines.h"
#include "support/source_root.h"

namespace tilestep::cosim {
namespace cosim_test {

const std::vector<Form>& forms() {
  static const std::vector<Form> all = allForms();
  return all;
}

const Answers& kept() {
  static const Answers answers = [] {
    auto loaded = Answers::load(support::sourceRoot() + "/tests/cosim/answers.gz");
    EXPECT_TRUE(loaded) << (loaded ? "" : toString(loaded.error()));
    return loaded ? std::move(loaded.value()) : Answers{};
  }();
  return answers;
}

/// Why the form fails on an engine; empty if it does not.
std::string failureOf(const Form& form, const simt::Engine* engine) {
  const Answer* answer = kept().find(form);
  if (answer == nullptr) {
    return form.text + ": no GPU's answer is kept; on a GPU, set TILESTEP_COSIM_REMAKE";
  }
  auto results = interpret(form, kKeptCases, engine);
  return results ? firstDifference(form, *answer, *results) : toString(results.error());
}

TEST(Cosim, AllFormsDiffer) {
  std::set<std::string> texts;
  for (const Form& form : forms()) {
    EXPECT_TRUE(texts.insert(form.text).second) << form.text << " occurs twice";
  }
  EXPECT_EQ(kept().size(), forms().size());
}

TEST(Cosim, TheInterpreterAnswersLikeTheGpu) {
  for (const simt::Engine* engine : simt::engines()) {
    size_t failures = 0;
    for (const Form& form : forms()) {
      const std::string failure = failureOf(form, engine);
      if (failure.empty()) continue;
      if (++failures <= 20) ADD_FAILURE() << engine->name << ": " << failure;
    }
    EXPECT_EQ(failures, 0U) << engine->name << ", of " << forms().size() << " forms";
  }
}

TEST(Cosim, EveryRootThatIsDecodedHasAForm) {
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

// What decoding asks an engine for, so that each operation can be broken once.
using Request = std::tuple<char, int, int, int, bool, bool>;
const simt::Engine* theEngine = nullptr;
std::set<Request>* asked = nullptr;
Request broken;
simt::Handler theHandler = nullptr;

/// The handler, and then every bit of its result turned over.
void turnOver(simt::Context& context, const simt::Instr& in) {
  theHandler(context, in);
  auto* words = reinterpret_cast<uint32_t*>(context.registers + in.d);
  for (uint32_t i = 0; i < simt::kLanes * (in.wideResult ? 2 : 1); ++i) words[i] = ~words[i];
}

simt::Handler given(const Request& request, simt::Handler handler) {
  if (handler == nullptr) return handler;
  if (asked != nullptr) asked->insert(request);
  if (request != broken) return handler;
  theHandler = handler;
  return turnOver;
}

/// The engine, with one operation broken.
simt::Engine watched(const simt::Engine& engine) {
  theEngine = &engine;
  simt::Engine copy = engine;
  copy.arithmetic = [](simt::Op op, simt::Lane lane, simt::Round round) {
    return given(
        {'a', static_cast<int>(op), static_cast<int>(lane), static_cast<int>(round), false, false},
        theEngine->arithmetic(op, lane, round));
  };
  copy.compare = [](simt::Relation relation, simt::Lane lane) {
    return given({'c', static_cast<int>(relation), static_cast<int>(lane), 0, false, false},
                 theEngine->compare(relation, lane));
  };
  copy.convert = [](simt::Lane to, simt::Lane from, simt::Round round, bool saturate,
                    bool toInteger) {
    return given({'v', static_cast<int>(to), static_cast<int>(from), static_cast<int>(round),
                  saturate, toInteger},
                 theEngine->convert(to, from, round, saturate, toInteger));
  };
  return copy;
}

TEST(Cosim, EveryOperationBrokenOnceIsSeen) {
  const simt::Engine engine = watched(*simt::engines().front());
  std::map<Request, std::vector<const Form*>> users;
  for (const Form& form : forms()) {
    std::set<Request> requests;
    asked = &requests;
    EXPECT_EQ(failureOf(form, &engine), "");
    asked = nullptr;
    for (const Request& request : requests) users[request].push_back(&form);
  }
  std::printf("%zu operations, each broken once\n", users.size());
  EXPECT_GT(users.size(), 300U);
  for (const auto& [request, using_] : users) {
    broken = request;
    const bool seen = std::any_of(using_.begin(), using_.end(), [&](const Form* form) {
      return !failureOf(*form, &engine).empty();
    });
    EXPECT_TRUE(seen) << std::get<0>(request) << " " << std::get<1>(request) << " "
                      << std::get<2>(request) << " " << std::get<3>(request) << ", first used by "
                      << using_.front()->text;
  }
  broken = {};
}

}  // namespace cosim_test
}  // namespace tilestep::cosim
