// SPDX-License-Identifier: Apache-2.0
#include "compile/text/tunable_defines.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_lines.h"
#include "compile/text/cuda_lexer.h"

namespace tilestep::compile {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view withoutBlanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

std::string_view takeWord(std::string_view& text) {
  text = withoutBlanks(text);
  size_t end = 0;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
    ++end;
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

Error definedAt(const KernelSource& source, std::string_view directive, const std::string& name) {
  const auto before = directive.data() - source.text.data();
  const auto line =
      1 + static_cast<int>(std::count(source.text.begin(), source.text.begin() + before, '\n'));
  Error error =
      requestError(name +
                   " is a tunable, but this line defines it, too, so that its value could "
                   "not be chosen; remove the line, or put it between #ifndef " +
                   name + " and #endif");
  error.where = TextLocation{source.path, line, 0};
  error.sourceLine = lineOf(source.text, line);
  return error;
}

}  // namespace

Status checkTunableDefines(const KernelSource& source, const KernelSpec& spec) {
  if (spec.tunables.empty()) return {};
  int depth = 0;
  for (const CudaToken& token : cudaTokens(source.text)) {
    if (token.kind != CudaToken::Kind::directive) continue;
    std::string_view rest = token.text;
    rest.remove_prefix(std::min(rest.find('#') + 1, rest.size()));
    const std::string_view directive = takeWord(rest);
    if (directive.starts_with("if")) ++depth;
    if (directive == "endif") depth = std::max(0, depth - 1);
    if (directive != "define" || depth > 0) continue;
    const std::string name(takeWord(rest));
    if (std::ranges::find(spec.tunables, name, &TunableSpec::name) != spec.tunables.end())
      return definedAt(source, token.text, name);
  }
  return {};
}

}  // namespace tilestep::compile
