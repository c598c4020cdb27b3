// SPDX-License-Identifier: Apache-2.0
#include "grade/model_declarations.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "compile/text/declaration.h"
#include "compile/text/headers.h"

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

/// The macro that a directive defines, or the device header that it includes.
std::optional<Piece> pieceOf(const CudaTokens& tokens, size_t directive) {
  const CudaTokens words = compile::wordsOfDirective(tokens[directive].text);
  if (words.size() < 2) return std::nullopt;
  if (words[0].is("define")) return Piece{directive, directive + 1, {words[1].text}};
  const bool isHeader =
      words[0].is("include") && compile::isDeviceHeader(compile::headerOf(tokens[directive].text));
  if (!isHeader) return std::nullopt;
  return Piece{directive, directive + 1, {}, true};
}

/// A declaration that other code may need: a type, variable, constant or constexpr function.
std::optional<Piece> pieceOf(const compile::DeclarationReader& reader, const CudaTokens& tokens,
                             const compile::Declaration& found) {
  if (!found.isFunction) return Piece{found.first, found.end, reader.namesOf(found)};
  if (!found.isConstant) return std::nullopt;
  return Piece{found.first, found.end, {tokens[*found.name].text}};
}

/// All pieces outside of namespaces, in the text's order.
std::vector<Piece> piecesOf(const CudaTokens& tokens, const std::vector<size_t>& partner) {
  const compile::DeclarationReader reader(tokens, partner);
  std::vector<Piece> pieces;
  for (size_t i = 0; i < tokens.size();) {
    std::optional<Piece> piece;
    if (tokens[i].kind == CudaToken::Kind::directive) {
      piece = pieceOf(tokens, i++);
    } else if (const auto inside = reader.openedScope(i)) {
      i = partner[*inside - 1] + 1;
    } else {
      const compile::Declaration found = reader.read(i);
      piece = pieceOf(reader, tokens, found);
      i = found.end;
    }
    if (piece) pieces.push_back(std::move(*piece));
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

void addWordsOf(const CudaTokens& tokens, const Piece& piece, Wanted& words) {
  for (size_t i = piece.first; i < piece.end; ++i) {
    if (tokens[i].kind != CudaToken::Kind::directive) {
      words.emplace(tokens[i].text);
      continue;
    }
    for (const CudaToken& word : compile::wordsOfDirective(tokens[i].text))
      words.emplace(word.text);
  }
}

}  // namespace

std::string declarationsOf(const std::string& model, Wanted wanted, const Wanted& without) {
  const CudaTokens tokens = compile::cudaTokens(model);
  const auto partner = compile::matchBrackets(tokens);
  if (!partner) return {};
  const std::vector<Piece> pieces = piecesOf(tokens, *partner);
  std::vector<std::string> found;
  // A declaration uses only earlier declarations, so one pass from the end finds all.
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    const bool isWanted = std::ranges::any_of(piece->names, [&](std::string_view name) {
      return wanted.contains(name) && !without.contains(name);
    });
    if (!isWanted && !piece->isHeader) continue;
    addWordsOf(tokens, *piece, wanted);
    found.push_back(textOf(model, tokens, *piece));
  }
  std::string text;
  for (auto piece = found.rbegin(); piece != found.rend(); ++piece) text += *piece;
  return text;
}

}  // namespace tilestep::grade
