// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/parser.h"

#include <deque>
#include <unordered_set>

#include "ptx/text/declarations.h"
#include "ptx/text/function_parser.h"
#include "ptx/text/lexer.h"

namespace tilestep::ptx {
namespace {

constexpr size_t kMaxText = size_t{64} << 20;
constexpr uint64_t kMaxFiles = 1 << 20;

bool isLinkage(const Token& token) {
  return token.isDot(".extern") || token.isDot(".visible") || token.isDot(".weak") ||
         token.isDot(".common");
}

class ModuleParser {
 public:
  ModuleParser(std::string_view text, std::string_view name) : cursor_(text, name) {}

  Result<Module> parse() {
    while (!cursor_.atEnd()) parseItem();
    if (!cursor_.failed() && (module_.version.empty() || module_.target.empty())) {
      cursor_.fail("a PTX module must start with .version, .target and .address_size");
    }
    if (cursor_.failed()) return cursor_.error();
    return std::move(module_);
  }

 private:
  void parseItem() {
    const Token start = cursor_.peek();
    if (cursor_.accept(';')) return;
    if (cursor_.acceptDot(".version")) return parseVersion();
    if (cursor_.acceptDot(".target")) return parseTarget();
    if (cursor_.acceptDot(".address_size")) return parseAddressSize();
    if (cursor_.acceptDot(".file")) return parseFile();
    if (cursor_.acceptDot(".section")) return skipSection();
    if (cursor_.acceptDot(".pragma")) return skipStatement();
    parseDeclaration(start);
  }

  void parseVersion() {
    const Token token = cursor_.take();
    if (token.kind != Token::Kind::number) {
      return cursor_.fail(token, ".version needs a number such as 9.0");
    }
    module_.version = token.text;
  }

  // Drops the option "debug", because the debug sections are dropped, too.
  void parseTarget() {
    do {
      const std::string_view word = cursor_.expectWord("a target such as sm_75");
      if (word == "debug") continue;
      if (!module_.target.empty()) module_.target += ", ";
      module_.target += word;
    } while (cursor_.accept(','));
  }

  void parseAddressSize() {
    const Token token = cursor_.peek();
    module_.addressSize = static_cast<unsigned>(cursor_.expectInteger("an address size", 64));
    if (module_.addressSize != 64) cursor_.fail(token, "only .address_size 64 is supported");
  }

  // .file N "path" [, timestamp, size]
  void parseFile() {
    const auto index = static_cast<uint32_t>(cursor_.expectInteger("a file number", kMaxFiles));
    const Token path = cursor_.peek();
    if (path.kind != Token::Kind::string) return cursor_.fail(".file needs a path in quotes");
    cursor_.take();
    module_.files[index] = path.text.substr(1, path.text.size() - 2);
    while (cursor_.accept(',')) cursor_.expectInteger("a number", ~0ULL);
  }

  void skipSection() {
    const Token start = cursor_.peek();
    cursor_.take();
    if (!cursor_.expect('{', "the section's name")) return;
    for (size_t depth = 1; depth > 0 && !cursor_.atEnd();) {
      const Token token = cursor_.take();
      if (token.isMark('{')) ++depth;
      if (token.isMark('}')) --depth;
      if (depth == 0) return;
    }
    cursor_.fail(start, "this section is not closed");
  }

  void skipStatement() {
    while (!cursor_.atEnd() && !cursor_.peek().isMark(';')) cursor_.take();
    cursor_.expect(';', "the directive");
  }

  void parseDeclaration(const Token& start) {
    std::string_view linkage;
    if (isLinkage(start)) linkage = cursor_.take().text.substr(1);
    const Token word = cursor_.peek();
    if (word.isDot(".entry") || word.isDot(".func")) return addFunction(linkage);
    if (startsVariable(word)) return addVariables(start, linkage == "extern");
    cursor_.fail("expected a function, a variable or a directive, found " + describe(word));
  }

  void addFunction(std::string_view linkage) {
    const Token at = cursor_.peek();
    Function function = parseFunction(cursor_, linkage, names_);
    if (cursor_.failed()) return;
    if (!function.isExtern && !defined_.insert(function.name).second) {
      return cursor_.fail(at, "function '" + function.name + "' is defined twice");
    }
    module_.functions.push_back(std::move(function));
  }

  void addVariables(const Token& start, bool isExtern) {
    for (Variable& variable : parseVariables(cursor_, start, isExtern)) {
      names_.emplace(variableNames_.emplace_back(variable.name), variable.type);
      module_.variables.push_back(std::move(variable));
    }
    cursor_.expect(';', "the declaration");
  }

  Cursor cursor_;
  Module module_;
  ModuleNames names_;
  std::unordered_set<std::string> defined_;
  std::deque<std::string> variableNames_;  ///< A deque, because names_ points into the strings.
};

}  // namespace

Result<Module> parse(std::string_view text, std::string_view name) {
  if (text.size() > kMaxText) {
    return requestError("this PTX text has " + std::to_string(text.size()) +
                        " bytes; the maximum is " + std::to_string(kMaxText));
  }
  return ModuleParser(text, name).parse();
}

}  // namespace tilestep::ptx
