// SPDX-License-Identifier: Apache-2.0
#include "compile/text/compiler_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "compile/text/cuda_lexer.h"

namespace tilestep::compile {
namespace {

/// Names that begin so are defined, built in or spelt otherwise in each compiler.
constexpr std::array<std::string_view, 21> kTelling = {
    "__clang",     "__llvm",     "__GNUC",     "__GNUG",     "__NVCC",  "__NVRTC",
    "__CUDACC_R",  "__CUDACC_V", "__CUDACC_D", "__CUDACC_E", "__has_",  "__is_",
    "__builtin_",  "__VERSION",  "__OPTIMIZ",  "__NO_IN",    "__PRETT", "__COUNTER",
    "_GNU_SOURCE", "TILESTEP_",  "tilestep_"};
/// Names that a condition may use, because all compilers have them.
constexpr std::array<std::string_view, 3> kCommon = {"__CUDA_ARCH__", "__CUDACC__", "__cplusplus"};
/// Each compiler declares these in its own way.
constexpr std::array<std::string_view, 5> kVariables = {"threadIdx", "blockIdx", "blockDim",
                                                        "gridDim", "warpSize"};
constexpr std::array<std::string_view, 4> kAskTypes = {"sizeof", "alignof", "decltype", "typeid"};
constexpr std::array<std::string_view, 4> kConditions = {"if", "ifdef", "ifndef", "elif"};

bool isTelling(std::string_view word) {
  return std::ranges::any_of(kTelling,
                             [&](std::string_view name) { return word.starts_with(name); });
}

/// Calls `visit` for each word; whether it was true of any.
template <class Visit>
bool anyWord(std::string_view text, const Visit& visit) {
  const auto isPart = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && isPart(text[end])) ++end;
    if (end > at && visit(text.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

bool directiveTells(std::string_view directive) {
  if (directive.find("##") != std::string_view::npos) return true;
  bool isFirst = true, isCondition = false;
  return anyWord(directive, [&](std::string_view word) {
    if (isFirst) isCondition = std::ranges::find(kConditions, word) != kConditions.end();
    isFirst = false;
    const bool isDefined =
        word.starts_with("__") && std::ranges::find(kCommon, word) == kCommon.end();
    return isTelling(word) || (isCondition && isDefined);
  });
}

/// The text with lines joined that end in a backslash.
std::string joinedLines(std::string_view text) {
  std::string joined;
  for (size_t i = 0; i < text.size(); ++i) {
    size_t end = i + 1;
    if (text[i] == '\\' && end < text.size() && text[end] == '\r') ++end;
    if (text[i] == '\\' && end < text.size() && text[end] == '\n')
      i = end;
    else
      joined += text[i];
  }
  return joined;
}

}  // namespace

bool tellsCompilersApart(std::string_view text) {
  const std::string joined = joinedLines(text);
  if (joined.find("%:") != std::string::npos) return true;  // Another spelling of #.
  const std::vector<CudaToken> tokens = cudaTokens(joined);
  for (size_t i = 0; i < tokens.size(); ++i) {
    const CudaToken& token = tokens[i];
    if (token.kind == CudaToken::Kind::directive && directiveTells(token.text)) return true;
    if (token.kind == CudaToken::Kind::word && isTelling(token.text)) return true;
    const size_t next = i + 1 < tokens.size() && tokens[i + 1].is("(") ? i + 2 : i + 1;
    const bool asks = std::ranges::find(kAskTypes, token.text) != kAskTypes.end();
    if (asks && next < tokens.size() &&
        std::ranges::find(kVariables, tokens[next].text) != kVariables.end())
      return true;
  }
  return false;
}

}  // namespace tilestep::compile
