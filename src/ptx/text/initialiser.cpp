// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/initialiser.h"

#include <bit>

#include "ptx/text/literal.h"

namespace tilestep::ptx {
namespace {

constexpr uint64_t kMaxAddend = uint64_t{1} << 40;
constexpr uint64_t kMaxInitialBytes = uint64_t{1} << 26;
constexpr unsigned kMaxBraces = 16;

/// Reads an initialiser into the bytes of one variable.
class Initialiser {
 public:
  Initialiser(Cursor& cursor, Variable& variable)
      : cursor_(cursor), variable_(variable), isOpen_(variable.elements == 0) {}

  void parse() {
    if (!isOpen_ && variable_.bytes() > kMaxInitialBytes) {
      return cursor_.fail("an initialised variable is larger than " +
                          std::to_string(kMaxInitialBytes) + " bytes");
    }
    unsigned depth = 0;
    do {
      while (cursor_.accept('{')) ++depth;
      if (depth > kMaxBraces) return cursor_.fail("an initialiser's braces are nested too deep");
      if (!cursor_.peek().isMark('}')) parseElement();
      while (depth > 0 && cursor_.accept('}')) --depth;
    } while (depth > 0 && cursor_.accept(','));
    if (depth > 0) cursor_.expect('}', "the initialiser");
    finish();
  }

 private:
  [[nodiscard]] unsigned elementBytes() const { return bytesOf(variable_.type); }

  void finish() {
    if (isOpen_) variable_.elements = variable_.initial.size() / elementBytes();
    if (!cursor_.failed()) variable_.initial.resize(variable_.bytes());
  }

  void append(uint64_t bits) {
    for (unsigned i = 0; i < elementBytes(); ++i) {
      variable_.initial.push_back(i < 8 ? static_cast<uint8_t>(bits >> (8 * i)) : 0);
    }
    if (!isOpen_ && variable_.initial.size() > variable_.bytes()) {
      cursor_.fail("'" + variable_.name + "' has more initial values than elements");
    }
  }

  void parseElement() {
    const bool isNegative = cursor_.accept('-');
    const Token token = cursor_.peek();
    if (token.kind == Token::Kind::word && !isNegative) return parseReference();
    auto literal = token.kind == Token::Kind::number ? parseLiteral(token.text) : std::nullopt;
    if (!literal) return cursor_.fail("expected a constant, found " + describe(token));
    cursor_.take();
    if (cursor_.peek().isMark('(')) return parseMasked(literal->bits);
    if (isNegative) literal = negate(*literal);
    append(encode(*literal));
  }

  static double valueOf(const Literal& literal) {
    switch (literal.type) {
      case Type::f32:
        return std::bit_cast<float>(static_cast<uint32_t>(literal.bits));
      case Type::f64:
        return std::bit_cast<double>(literal.bits);
      case Type::u64:
        return static_cast<double>(literal.bits);
      default:
        return static_cast<double>(static_cast<int64_t>(literal.bits));
    }
  }

  /// The constant encoded in the variable's type. Bits for half types are unchanged.
  [[nodiscard]] uint64_t encode(const Literal& literal) const {
    if (variable_.type == Type::f64) return std::bit_cast<uint64_t>(valueOf(literal));
    if (variable_.type != Type::f32 || literal.type == Type::f32) return literal.bits;
    return std::bit_cast<uint32_t>(static_cast<float>(valueOf(literal)));
  }

  /// Reads `name` or `generic(name)`.
  SymbolReference parseSymbol() {
    SymbolReference reference;
    reference.name = cursor_.expectWord("a symbol's name");
    if (reference.name != "generic" || !cursor_.accept('(')) return reference;
    reference.generic = true;
    reference.name = cursor_.expectWord("a symbol's name");
    cursor_.expect(')', "the symbol");
    return reference;
  }

  /// Reads the rest of `mask(name)`.
  void parseMasked(uint64_t mask) {
    cursor_.expect('(', "the mask");
    SymbolReference reference = parseSymbol();
    reference.mask = mask;
    parseAddend(reference);
    cursor_.expect(')', "the symbol");
    addReference(std::move(reference));
  }

  void parseReference() {
    SymbolReference reference = parseSymbol();
    parseAddend(reference);
    addReference(std::move(reference));
  }

  void parseAddend(SymbolReference& reference) {
    const bool isNegative = cursor_.peek().isMark('-');
    if (!isNegative && !cursor_.peek().isMark('+')) return;
    cursor_.take();
    const auto addend = static_cast<int64_t>(cursor_.expectInteger("an offset", kMaxAddend));
    reference.addend = isNegative ? -addend : addend;
  }

  void addReference(SymbolReference reference) {
    reference.at = variable_.initial.size();
    reference.bytes = elementBytes();
    variable_.references.push_back(std::move(reference));
    append(0);
  }

  Cursor& cursor_;
  Variable& variable_;
  bool isOpen_;
};

}  // namespace

void parseInitialiser(Cursor& cursor, Variable& variable) {
  Initialiser(cursor, variable).parse();
}

}  // namespace tilestep::ptx
