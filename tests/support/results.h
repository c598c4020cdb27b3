// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace tilestep::support {

/// Whether `text` contains `part`; a failure prints `text`.
inline testing::AssertionResult has(std::string_view text, std::string_view part) {
  const bool found = text.find(part) != std::string_view::npos;
  return (found ? testing::AssertionSuccess() : testing::AssertionFailure())
         << '"' << part << (found ? "\" is in \"" : "\" is missing in \"") << text << '"';
}

/// Whether `text` contains all parts; a failure names the first missing part.
template <class Next, class... More>
testing::AssertionResult has(std::string_view text, std::string_view part, Next next,
                             More... more) {
  const testing::AssertionResult first = has(text, part);
  return first ? has(text, std::string_view(next), std::string_view(more)...) : first;
}

/// Whether a result is an error whose message contains `part`.
template <class Failed>
testing::AssertionResult fails(const Failed& result, std::string_view part) {
  if (result.ok()) return testing::AssertionFailure() << "succeeded; expected \"" << part << '"';
  return has(result.error().message, part);
}

/// Whether a result is an error of that kind whose message contains `part`.
template <class Failed>
testing::AssertionResult fails(const Failed& result, ErrorKind kind, std::string_view part) {
  if (!result.ok() && result.error().kind != kind)
    return testing::AssertionFailure() << "another kind of error: " << result.error().message;
  return fails(result, part);
}

/// The value of a result. An error ends the test with its message.
template <class T>
T valueOrThrow(Result<T> result) {
  if (!result) throw std::runtime_error(toString(result.error()));
  return std::move(result).value();
}

}  // namespace tilestep::support

// Makes `has(text, "part")` available in every test.
namespace tilestep {
using support::fails;
using support::has;
using support::valueOrThrow;
}  // namespace tilestep
