// SPDX-License-Identifier: Apache-2.0
#include "compile/host/host_names.h"

#include <array>
#include <cctype>

namespace tilestep::compile {
namespace {

using Kind = CudaToken::Kind;

/// With `using namespace std` these are the library's.
constexpr std::array kStandardNames = {
    "string",     "vector",     "ostream",  "istream", "ofstream", "ifstream",      "map",    "set",
    "unique_ptr", "shared_ptr", "function", "thread",  "chrono",   "random_device", "mt19937"};

/// What the device has of the library, too: `std::size_t`.
constexpr std::array kSharedNames = {"size_t",  "ptrdiff_t", "int8_t",   "int16_t",  "int32_t",
                                     "int64_t", "uint8_t",   "uint16_t", "uint32_t", "uint64_t"};

}  // namespace

bool isRuntimeName(std::string_view word) {
  return word.size() > 4 && word.starts_with("cuda") &&
         std::isupper(static_cast<unsigned char>(word[4])) != 0;
}

bool isHostName(const CudaTokens& tokens, size_t i) {
  const std::string_view word = tokens[i].text;
  if (tokens[i].kind != Kind::word) return false;
  if (isRuntimeName(word) || word == "FILE") return true;
  const bool isShared = word == "std" && i + 2 < tokens.size() && tokens[i + 1].is("::") &&
                        isOneOf(tokens[i + 2].text, kSharedNames);
  if (isShared) return false;
  const bool libraries = word == "std" || word == "thrust";
  return libraries && i + 1 < tokens.size() &&
         (tokens[i + 1].is("::") || tokens[i + 1].is(";") || tokens[i + 1].is("{"));
}

bool usesStandardNames(const CudaTokens& tokens) {
  for (size_t i = 2; i < tokens.size(); ++i) {
    const bool is = tokens[i - 2].is("using") && tokens[i - 1].is("namespace");
    if (is && tokens[i].is("std")) return true;
  }
  return false;
}

bool isStandardName(std::string_view word) {
  return isOneOf(word, kStandardNames);
}

}  // namespace tilestep::compile
