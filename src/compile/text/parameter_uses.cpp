// SPDX-License-Identifier: Apache-2.0
#include "compile/text/parameter_uses.h"

#include <algorithm>

namespace tilestep::compile {
namespace {

using Kind = CudaToken::Kind;

/// row * columns + …, outside brackets: sets row and columns.
void splitIndex(KernelParameter& parameter) {
  const CudaTokens& index = parameter.index;
  int depth = 0;
  size_t open = 0;  // The last bracket that is not inside others.
  for (size_t i = 0; i + 1 < index.size(); ++i) {
    if (isOpen(index[i]) && depth++ == 0) open = i;
    if (isClose(index[i])) --depth;
    if (depth > 0 || i == 0 || !index[i].is("*") || index[i + 1].kind != Kind::word) continue;
    const bool bracketed = index[i - 1].is(")");
    parameter.columns = index[i + 1].text;
    parameter.row = bracketed ? slice(index, open + 1, i - 1) : slice(index, i - 1, i);
    return;
  }
}

/// Uses of a pointer that is never indexed: `*name = …` and `atomicAdd(name, …)`.
void lookAtPlainUses(KernelParameter& parameter, const CudaTokens& body) {
  for (size_t at = 1; at + 1 < body.size(); ++at) {
    if (!body[at].is(parameter.name)) continue;
    const bool starred = body[at - 1].is("*");
    const bool atomic = at > 1 && body[at - 1].is("(") && body[at - 2].text.starts_with("atomic");
    const size_t operation =
        at + 1 +
        (starred && at + 2 < body.size() && !body[at + 1].is("=") && body[at + 2].is("=") ? 1 : 0);
    const bool assigned = starred && body[operation].is("=") &&
                          !(operation + 1 < body.size() && body[operation + 1].is("="));
    parameter.single |= assigned || atomic;
    parameter.written |= assigned || atomic;
    parameter.read |= atomic || (starred && (!assigned || operation > at + 1));
  }
}

}  // namespace

KernelParameter parameterOf(const CudaTokens& tokens) {
  KernelParameter parameter;
  size_t end = tokens.size();
  for (size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].is("*") || tokens[at].is("[")) ++parameter.stars;
    if (tokens[at].is("=") || tokens[at].is("[")) end = std::min(end, at);
  }
  parameter.pointer = parameter.stars > 0;
  size_t name = end;
  while (name > 0 && tokens[name - 1].kind != Kind::word) --name;
  if (name == 0) return parameter;
  parameter.name = tokens[name - 1].text;
  for (size_t at = 0; at + 1 < name; ++at) {
    const CudaToken& token = tokens[at];
    if (token.kind != Kind::word || token.is("const") || token.is("volatile") ||
        token.is("__restrict__") || token.is("std") || token.is("__restrict"))
      continue;
    parameter.type += (parameter.type.empty() ? "" : " ") + std::string(token.text);
  }
  return parameter;
}

void lookAtUses(KernelParameter& parameter, const CudaTokens& body) {
  for (size_t at = 0; at + 1 < body.size(); ++at) {
    if (!body[at].is(parameter.name) || !body[at + 1].is("[")) continue;
    const size_t behind = behindBracket(body, at + 1);
    const auto next = [&](size_t ahead, std::string_view what) {
      return behind + ahead < body.size() && body[behind + ahead].is(what);
    };
    const bool assigned = next(0, "=") && !next(1, "=");
    const bool shifted = (next(0, "<") && next(1, "<")) || (next(0, ">") && next(1, ">"));
    const bool operation =
        behind < body.size() && body[behind].text.size() == 1 &&
        std::string_view("+-*/%&|^").find(body[behind].text) != std::string_view::npos;
    const bool changed = (operation && next(1, "=")) || (shifted && next(2, "=")) ||
                         (next(0, "+") && next(1, "+")) || (next(0, "-") && next(1, "-"));
    const bool address = at > 0 && body[at - 1].is("&");
    const bool counted = at > 1 && body[at - 1].is("+") && body[at - 2].is("+");
    parameter.written |= assigned || changed || address || counted;
    parameter.read |= !assigned;
    if (parameter.index.empty()) parameter.index = slice(body, at + 2, behind - 1);
  }
  splitIndex(parameter);
  if (parameter.index.empty()) lookAtPlainUses(parameter, body);
}

}  // namespace tilestep::compile
