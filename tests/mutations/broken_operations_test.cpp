// SPDX-License-Identifier: Apache-2.0
// Breaks each operation of the interpreter once: some answer of the H200 must differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>

#include "cosim/kept_answers.h"

namespace tilestep::cosim::broken_operations_test {

// The operations that decoding requests from an engine, so that each can be broken once.
using Request = std::tuple<char, int, int, int, bool, bool>;
const simt::Engine* theEngine = nullptr;
std::set<Request>* asked = nullptr;
Request broken;
simt::Handler theHandler = nullptr;

/// Calls the handler, and then inverts every bit of its result.
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

TEST(CosimMutations, EveryOperationBrokenOnceIsSeen) {
  const simt::Engine engine = watched(*simt::engines().front());
  std::map<Request, std::vector<const Form*>> users;
  for (const Form& form : forms()) {
    std::set<Request> requests;
    asked = &requests;
    EXPECT_EQ(failureOf(form, engine), "");
    asked = nullptr;
    for (const Request& request : requests) users[request].push_back(&form);
  }
  std::printf("%zu operations, each broken once\n", users.size());
  EXPECT_GT(users.size(), 300U);
  for (const auto& [request, using_] : users) {
    broken = request;
    const bool seen = std::any_of(using_.begin(), using_.end(), [&](const Form* form) {
      return !failureOf(*form, engine).empty();
    });
    EXPECT_TRUE(seen) << std::get<0>(request) << " " << std::get<1>(request) << " "
                      << std::get<2>(request) << " " << std::get<3>(request) << ", first used by "
                      << using_.front()->text;
  }
  broken = {};
}

}  // namespace tilestep::cosim::broken_operations_test
