// SPDX-License-Identifier: Apache-2.0
#include "grade/model_declarations.h"

#include <algorithm>
#include <vector>

#include "compile/host/declaration.h"
#include "compile/host/device_part.h"

namespace tilestep::grade {
namespace {

using compile::CudaToken;
using compile::CudaTokens;
using Wanted = std::set<std::string, std::less<>>;

/// A declaration or a directive of the model.
struct Piece {
  size_t first = 0, end = 0;  ///< Tokens.
  std::vector<std::string_view> names;
  bool isHeader = false;
};

/// `#include <cuda_fp16.h>` and its like.
bool includesDevice(std::string_view directive) {
  const size_t open = directive.find_first_of("<\"");
  const size_t close = directive.find_first_of(">\"", open == directive.npos ? open : open + 1);
  return directive.find("include") < open && close != directive.npos &&
         compile::isDeviceHeader(directive.substr(open + 1, close - open - 1));
}

/// "real" of `using real = float;` and of `typedef float real;`, a structure's and a variable's
/// names.
std::vector<std::string_view> namesOf(const compile::DeclarationReader& reader,
                                      const CudaTokens& tokens, const compile::Declaration& found) {
  const CudaToken& first = tokens[found.first];
  if (first.is("using") && found.end - found.first > 2) return {tokens[found.first + 1].text};
  std::vector<std::string_view> names = reader.namesOfType(found);
  if (names.empty()) names = reader.variablesOf(found);
  return names;
}

std::vector<Piece> piecesOf(const CudaTokens& tokens, const std::vector<size_t>& partner) {
  const compile::DeclarationReader reader(tokens, partner);
  std::vector<Piece> pieces;
  for (size_t i = 0; i < tokens.size();) {
    if (tokens[i].kind == CudaToken::Kind::directive) {
      const CudaTokens words = compile::wordsOfDirective(tokens[i].text);
      const bool defines = words.size() > 1 && words[0].is("define");
      if (defines) pieces.push_back({i, i + 1, {words[1].text}});
      if (includesDevice(tokens[i].text)) pieces.push_back({i, i + 1, {}, true});
      ++i;
      continue;
    }
    const compile::Declaration found = reader.read(i);
    if (!found.function) pieces.push_back({i, found.end, namesOf(reader, tokens, found)});
    i = found.end;
  }
  return pieces;
}

std::string textOf(const std::string& model, const CudaTokens& tokens, const Piece& piece) {
  const std::string_view last = tokens[piece.end - 1].text;
  const auto begin = static_cast<size_t>(tokens[piece.first].text.data() - model.data());
  const auto end = static_cast<size_t>(last.data() + last.size() - model.data());
  std::string text = model.substr(begin, end - begin);
  while (text.ends_with('\n') || text.ends_with(' ')) text.pop_back();
  return text + "\n";
}

/// Its words are needed, too.
void want(const CudaTokens& tokens, const Piece& piece, Wanted& wanted) {
  for (size_t i = piece.first; i < piece.end; ++i) {
    const bool isDirective = tokens[i].kind == CudaToken::Kind::directive;
    if (!isDirective) wanted.emplace(tokens[i].text);
    if (isDirective)
      for (const CudaToken& word : compile::wordsOfDirective(tokens[i].text))
        wanted.emplace(word.text);
  }
}

}  // namespace

std::string declarationsOf(const std::string& model, Wanted wanted) {
  const CudaTokens tokens = compile::cudaTokens(model);
  const auto partner = compile::matchBrackets(tokens);
  if (!partner) return {};
  const std::vector<Piece> pieces = piecesOf(tokens, *partner);
  std::vector<std::string> found;
  // What is declared earlier may be used by what is declared later, and not the other way.
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    const bool isWanted = std::ranges::any_of(
        piece->names, [&](std::string_view name) { return wanted.contains(name); });
    if (!isWanted && !piece->isHeader) continue;
    want(tokens, *piece, wanted);
    found.push_back(textOf(model, tokens, *piece));
  }
  std::string text;
  for (auto piece = found.rbegin(); piece != found.rend(); ++piece) text += *piece;
  return text;
}

}  // namespace tilestep::grade
