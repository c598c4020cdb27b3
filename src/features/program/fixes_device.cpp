// SPDX-License-Identifier: Apache-2.0
#include "features/program/fixes_device.h"

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

/// Whether a loop begins the enclosing block of this depth.
bool isInLoop(const CodeText& text, size_t line, int depth) {
  size_t open = line;
  while (open > 0 && text.depths[open] >= depth) --open;
  const auto beginsLoop = [&](size_t at) {
    return std::ranges::any_of(compile::cudaTokens(text.lines[at]), [](const CudaToken& token) {
      return token.is("for") || token.is("while") || token.is("do");
    });
  };
  // The brace may be on a separate line.
  const bool isBrace = compile::cudaTokens(text.lines[open]).size() == 1;
  return beginsLoop(open) || (isBrace && open > 0 && beginsLoop(open - 1));
}

/// The depth of the innermost loop around the line, at most `inner`; 0 if there is no loop.
int depthOfLoop(const CodeText& text, size_t line, int inner) {
  int depth = inner;
  while (depth > 0 && !isInLoop(text, line, depth)) --depth;
  return depth;
}

/// The line, counted from 0, before which a barrier orders the two accesses. It precedes the second
/// access if that is below the first; otherwise it is at the end of the loop that contains both
/// accesses. Absent if the position is ambiguous.
std::optional<size_t> lineForBarrier(const CodeText& text, size_t first, size_t second) {
  if (first >= text.lines.size() || second >= text.lines.size()) return std::nullopt;
  if (first < second) {
    int least = text.depths[second];
    for (size_t i = first + 1; i <= second; ++i) least = std::min(least, text.depths[i]);
    for (size_t i = second; i > first; --i)
      if (text.depths[i] == least && text.beginsStatement(i)) return i;
    return std::nullopt;
  }
  int inner = text.depths[first];
  for (size_t i = second; i <= first; ++i) inner = std::min(inner, text.depths[i]);
  // All threads must reach the barrier, so it belongs in the loop but outside of conditions.
  const int loop = depthOfLoop(text, second, inner);
  // Without a loop, the function is called repeatedly, and the next call has to wait.
  if (loop == 0)
    return first != second && text.beginsStatement(second) ? std::optional(second) : std::nullopt;
  for (size_t i = first + 1; i < text.lines.size(); ++i)
    if (text.depths[i] == loop && text.lines[i].find('}') != std::string::npos &&
        (i + 1 == text.lines.size() || text.depths[i + 1] < loop))
      return text.beginsStatement(i) ? std::optional(i) : std::nullopt;
  return std::nullopt;
}

}  // namespace

std::optional<CodeFix> addBarrier(const ProgramFinding& finding, std::string_view source) {
  const CodeText text(source);
  const auto line = lineForBarrier(text, finding.otherLine - 1, finding.line - 1);
  if (!line) return std::nullopt;
  Lines lines = text.lines;
  const bool closes = lines[*line].find_first_not_of(" \t}") == std::string::npos;
  const std::string indent = indentOf(lines[*line]) + (closes ? "  " : "");
  lines.insert(lines.begin() + static_cast<ptrdiff_t>(*line), indent + "__syncthreads();");
  return changed("Add __syncthreads() before line " + std::to_string(*line + 1), source,
                 text.with(lines));
}

namespace {

// --- A missing guard ---

/// The tokens of the function around a line: its parameters and its body.
struct FunctionAround {
  size_t open = 0, close = 0;  ///< The brackets of the parameters.
  size_t body = 0;             ///< The opening brace.
};

std::optional<FunctionAround> functionAround(const CodeText& text, size_t at) {
  const CudaTokens& tokens = text.tokens();
  std::optional<FunctionAround> found;
  for (size_t i = 0; i < std::min(at, tokens.size()); ++i) {
    if (!tokens[i].is("__global__")) continue;
    size_t body = i;
    while (body < tokens.size() && !tokens[body].is("{") && !tokens[body].is(";")) ++body;
    if (body >= tokens.size() || !tokens[body].is("{")) continue;
    size_t close = body;
    while (close > i && !tokens[close].is(")")) --close;
    size_t open = close;
    for (int depth = 0; open > i; --open) {
      depth += tokens[open].is(")") ? 1 : tokens[open].is("(") ? -1 : 0;
      if (depth == 0) break;
    }
    found = FunctionAround{open, close, body};
  }
  return found;
}

/// The integer parameters, in their order.
std::vector<std::string> countsOf(const CudaTokens& tokens, const FunctionAround& function) {
  constexpr std::string_view kTypes[] = {"int", "unsigned", "size_t", "long", "uint", "int64_t"};
  std::vector<std::string> names;
  for (const CudaTokens& each :
       compile::atCommas(compile::slice(tokens, function.open + 1, function.close))) {
    const auto has = [&](std::string_view word) {
      return std::ranges::any_of(each, [&](const CudaToken& token) { return token.is(word); });
    };
    const bool isWhole = std::ranges::any_of(kTypes, has) && !has("*") && !has("[");
    if (isWhole && each.back().kind == CudaToken::Kind::word) names.emplace_back(each.back().text);
  }
  return names;
}

/// A variable that holds the thread's index in the grid, such as "i", and its axis.
struct GridIndex {
  std::string name;
  char axis = 'x';
};

std::vector<GridIndex> gridIndices(const CodeText& text, const FunctionAround& function,
                                   size_t end) {
  const CudaTokens& tokens = text.tokens();
  std::vector<GridIndex> found;
  for (size_t i = function.body; i + 1 < end; ++i) {
    if (!tokens[i].is("=") || tokens[i - 1].kind != CudaToken::Kind::word) continue;
    char axis = 0;
    bool usesBlock = false, usesThread = false;
    for (size_t k = i + 1; k + 2 < end && !tokens[k].is(";") && !tokens[k].is(","); ++k) {
      usesThread = usesThread || tokens[k].is("threadIdx");
      if (!tokens[k].is("blockIdx")) continue;
      usesBlock = true;
      axis = tokens[k + 2].text.front();
    }
    if (usesBlock && usesThread) found.push_back({std::string(tokens[i - 1].text), axis});
  }
  return found;
}

/// "i < n", "row < rows && col < columns".
std::string guardFor(const std::vector<GridIndex>& indices, const std::vector<std::string>& counts,
                     const std::set<std::string, std::less<>>& used) {
  std::string guard;
  const auto along = std::ranges::count(indices, 'y', &GridIndex::axis);
  for (const GridIndex& index : indices) {
    if (!used.contains(index.name)) continue;
    // Rows are counted along y, and precede columns.
    const bool isColumn = index.axis == 'x' && along > 0;
    const std::string& count = isColumn && counts.size() > 1 ? counts[1] : counts.front();
    guard += (guard.empty() ? "" : " && ") + index.name + " < " + count;
  }
  return guard;
}

}  // namespace

std::optional<CodeFix> addGuard(const ProgramFinding& finding, std::string_view source) {
  const CodeText text(source);
  if (finding.line == 0 || finding.line > text.lines.size()) return std::nullopt;
  const size_t first = text.firstIn(finding.line), end = text.firstIn(finding.line + 1);
  const auto function = functionAround(text, first);
  if (!function || first <= function->body) return std::nullopt;
  const std::vector<std::string> counts = countsOf(text.tokens(), *function);
  // With three counts, the bound of each index is ambiguous.
  if (counts.empty() || counts.size() > 2) return std::nullopt;
  std::set<std::string, std::less<>> used;
  for (size_t i = first; i < end; ++i) used.emplace(text.tokens()[i].text);
  const std::vector<GridIndex> indices = gridIndices(text, *function, first);
  const auto isUsed = [&](const GridIndex& index) { return used.contains(index.name); };
  const auto count = static_cast<size_t>(std::ranges::count_if(indices, isUsed));
  if (counts.size() == 2 && count != 2) return std::nullopt;
  const std::string guard = guardFor(indices, counts, used);
  const std::string& line = text.lines[finding.line - 1];
  // Only a complete statement without a declaration can be guarded.
  const size_t word = line.find_first_not_of(" \t");
  if (guard.empty() || word == std::string::npos || !line.ends_with(';') ||
      !text.beginsStatement(finding.line - 1) || line.find(guard) != std::string::npos)
    return std::nullopt;
  const bool isDeclared = first + 1 < end && text.tokens()[first].kind == CudaToken::Kind::word &&
                          text.tokens()[first + 1].kind == CudaToken::Kind::word;
  if (isDeclared) return std::nullopt;
  Lines lines = text.lines;
  lines[finding.line - 1].insert(word, "if (" + guard + ") ");
  return changed("Guard line " + std::to_string(finding.line) + " by " + guard, source,
                 text.with(lines));
}

std::optional<CodeFix> setVariable(const ProgramFinding& finding, std::string_view source) {
  constexpr std::string_view kTypes[] = {"int", "unsigned", "float", "double", "long", "size_t"};
  const CodeText text(source);
  const CudaTokens& tokens = text.tokens();
  const size_t first = text.firstIn(finding.line), end = text.firstIn(finding.line + 1);
  std::set<std::string_view> used;
  for (size_t i = first; i < end; ++i)
    if (tokens[i].kind == CudaToken::Kind::word) used.insert(tokens[i].text);
  for (size_t i = first; i-- > 1;) {
    if (tokens[i].is("__global__")) return std::nullopt;
    const bool isTyped = used.contains(tokens[i].text) &&
                         std::ranges::find(kTypes, tokens[i - 1].text) != std::end(kTypes);
    size_t stop = i + 1;  // Skips the extents of an array.
    while (stop < tokens.size() && !tokens[stop].is(";") && !tokens[stop].is("=")) ++stop;
    // CUDA does not allow initialisers for shared memory.
    if (i > 1 && tokens[i - 2].is("__shared__")) continue;
    const bool isArray = i + 1 < tokens.size() && tokens[i + 1].is("[");
    const bool isUnset = stop < tokens.size() && tokens[stop].is(";") && (isArray || stop == i + 1);
    if (!isTyped || !isUnset) continue;
    const std::string name(tokens[i].text), last(tokens[stop - 1].text);
    return changed("Begin " + name + " at 0", source,
                   text.with(stop - 1, stop, last + (isArray ? " = {}" : " = 0")));
  }
  return std::nullopt;
}

}  // namespace tilestep::features
