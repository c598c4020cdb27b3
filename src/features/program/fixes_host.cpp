// SPDX-License-Identifier: Apache-2.0
#include "features/program/fixes_host.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "features/program/code_text.h"

namespace tilestep::features {
namespace {

using compile::CudaToken;
using compile::CudaTokens;
using lab::ProgramFinding;

/// The tokens of a call's name and parentheses.
struct CallAt {
  size_t name = 0, open = 0, close = 0;
};

std::optional<CallAt> callIn(const CodeText& text, uint32_t line, std::string_view beginning) {
  const CudaTokens& tokens = text.tokens();
  const size_t end = text.firstIn(line + 1);
  for (size_t i = text.firstIn(line); i + 1 < end; ++i) {
    if (!tokens[i].text.starts_with(beginning) || !tokens[i + 1].is("(")) continue;
    const auto pairs = compile::matchBrackets(tokens);
    if (pairs) return CallAt{i, i + 1, (*pairs)[i + 1]};
  }
  return std::nullopt;
}

}  // namespace

std::optional<CodeFix> countBytes(const ProgramFinding& finding, std::string_view source) {
  const CodeText text(source);
  std::optional<CallAt> call = callIn(text, finding.line, "cudaMemcpy");
  const bool isCopy = call.has_value();
  if (!call) call = callIn(text, finding.line, "cudaMalloc");
  if (!call) call = callIn(text, finding.line, "cudaMemset");
  if (!call) return std::nullopt;
  const CudaTokens inside = compile::slice(text.tokens(), call->open + 1, call->close);
  const std::vector<CudaTokens> arguments = compile::atCommas(inside);
  const size_t which = isCopy || text.tokens()[call->name].text.starts_with("cudaMemset") ? 2 : 1;
  if (arguments.size() <= which) return std::nullopt;
  const CudaTokens& size = arguments[which];
  for (const CudaToken& token : size)
    if (token.is("sizeof")) return std::nullopt;
  const CudaTokens& pointer = arguments.front();
  if (pointer.empty() || pointer.back().kind != CudaToken::Kind::word) return std::nullopt;
  const std::string one = "sizeof(*" + std::string(pointer.back().text) + ")";
  std::string bytes(
      source.substr(static_cast<size_t>(size.front().text.data() - source.data()),
                    static_cast<size_t>(size.back().text.data() + size.back().text.size() -
                                        size.front().text.data())));
  const auto first = static_cast<size_t>(size.front().text.data() - source.data());
  std::string all(source);
  const std::string factor = size.size() > 1 ? "(" + bytes + ") * " + one : bytes + " * " + one;
  all.replace(first, bytes.size(), factor);
  return changed("Count bytes, not elements: " + factor, source, std::move(all));
}

std::optional<CodeFix> roundUp(const ProgramFinding& finding, std::string_view source) {
  const CodeText text(source);
  const CudaTokens& tokens = text.tokens();
  const size_t begin = text.firstIn(finding.line);
  size_t launch = begin;
  while (launch < tokens.size() && !tokens[launch].is("<<<")) ++launch;
  std::set<std::string, std::less<>> names;
  std::vector<std::pair<size_t, size_t>> places;  // Expressions that may set the grid.
  size_t end = launch + 1;
  for (int depth = 0; end < tokens.size() && !(depth == 0 && tokens[end].is(",")); ++end) {
    depth += isOpen(tokens[end]) ? 1 : isClose(tokens[end]) ? -1 : 0;
    if (tokens[end].kind == CudaToken::Kind::word) names.emplace(tokens[end].text);
  }
  places.emplace_back(launch + 1, end);
  for (size_t i = launch; i-- > 1;) {
    const bool isSet = tokens[i].is("=") || tokens[i].is("(");
    if (!isSet || !names.contains(tokens[i - 1].text)) continue;
    size_t stop = i;
    while (stop < tokens.size() && !tokens[stop].is(";")) ++stop;
    for (size_t k = i; k < stop; ++k)
      if (tokens[k].kind == CudaToken::Kind::word) names.emplace(tokens[k].text);
    places.emplace_back(i + 1, stop);
  }
  for (const auto& [from, to] : places)
    for (size_t i = from + 1; i + 1 < std::min(to, tokens.size()); ++i) {
      const auto isPlain = [&](size_t at) {
        return tokens[at].kind == CudaToken::Kind::word ||
               tokens[at].kind == CudaToken::Kind::number;
      };
      // "threads.x" has three tokens.
      const bool isMember = i + 3 < tokens.size() && tokens[i + 2].is(".");
      const size_t last = isMember ? i + 3 : i + 1;
      if (!tokens[i].is("/") || !isPlain(i - 1) || !isPlain(i + 1)) continue;
      const std::string count(tokens[i - 1].text);
      const std::string per = compile::joined(compile::slice(tokens, i + 1, last + 1));
      const std::string up = "(" + count + " + " + per + " - 1) / " + per;
      return changed("Round the grid up: " + up, source, text.with(i - 1, last + 1, up));
    }
  return std::nullopt;
}

namespace {

/// The function that contains the line: the last name before a parenthesis outside all braces.
std::string functionOfHost(const CodeText& text, uint32_t line) {
  const CudaTokens& tokens = text.tokens();
  std::string name;
  int depth = 0;
  const size_t end = text.firstIn(line);
  for (size_t i = 0; i + 1 < end; ++i) {
    depth += tokens[i].is("{") ? 1 : tokens[i].is("}") ? -1 : 0;
    if (depth == 0 && tokens[i].kind == CudaToken::Kind::word && tokens[i + 1].is("("))
      name = tokens[i].text;
  }
  return name;
}

/// Adds `#include <name>` at the beginning, unless it or the C header is included.
std::string withHeader(std::string text, const std::string& name) {
  const std::string old = "<" + name.substr(1) + ".h>";
  if (text.find("<" + name + ">") != std::string::npos || text.find(old) != std::string::npos)
    return text;
  return "#include <" + name + ">\n" + text;
}

}  // namespace

std::optional<CodeFix> askForError(const ProgramFinding& finding, std::string_view source) {
  const CodeText text(source);
  if (finding.line == 0 || finding.line > text.lines.size()) return std::nullopt;
  size_t line = finding.line - 1;
  while (line < text.lines.size() && lastSign(text.lines[line]) != ';') ++line;
  if (line >= text.lines.size()) return std::nullopt;
  Lines lines = text.lines;
  const std::string indent = indentOf(text.lines[finding.line - 1]);
  const bool isInMain = functionOfHost(text, finding.line) == "main";
  const auto at = lines.begin() + static_cast<ptrdiff_t>(line) + 1;
  lines.insert(at, {indent + "if (cudaError_t error = cudaGetLastError(); error != cudaSuccess) {",
                    indent + "  fprintf(stderr, \"%s\\n\", cudaGetErrorString(error));",
                    indent + (isInMain ? "  return 1;" : "  exit(1);"), indent + "}"});
  std::string all = text.with(lines);
  if (!isInMain) all = withHeader(std::move(all), "cstdlib");
  return changed("Check for the launch's error after line " + std::to_string(line + 1), source,
                 withHeader(std::move(all), "cstdio"));
}

std::optional<CodeFix> allowShared(const ProgramFinding& finding, std::string_view source) {
  const CodeText text(source);
  if (finding.line == 0 || finding.line > text.lines.size() ||
      !text.beginsStatement(finding.line - 1))
    return std::nullopt;
  const CudaTokens& tokens = text.tokens();
  const size_t first = text.firstIn(finding.line);
  size_t open = first, close = first;
  while (open < tokens.size() && !tokens[open].is("<<<")) ++open;
  while (close < tokens.size() && !tokens[close].is(">>>")) ++close;
  if (open == first || close >= tokens.size() || open > close) return std::nullopt;
  const CudaTokens kernel = compile::slice(tokens, first, open);
  const auto shape = compile::atCommas(compile::slice(tokens, open + 1, close));
  if (shape.size() < 3 || kernel.front().kind != CudaToken::Kind::word) return std::nullopt;
  const auto textOfAll = [](const CudaTokens& all) {
    const char* begin = all.front().text.data();
    const char* end = all.back().text.data() + all.back().text.size();
    return std::string(begin, end);
  };
  Lines lines = text.lines;
  lines.insert(lines.begin() + static_cast<ptrdiff_t>(finding.line) - 1,
               indentOf(text.lines[finding.line - 1]) + "cudaFuncSetAttribute(" +
                   textOfAll(kernel) + ", cudaFuncAttributeMaxDynamicSharedMemorySize, " +
                   textOfAll(shape[2]) + ");");
  return changed("Allow the kernel more shared memory", source, text.with(lines));
}

}  // namespace tilestep::features
