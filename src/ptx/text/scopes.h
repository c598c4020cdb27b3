// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// The names declared in the module so far, with the variables' element types. Keys are views.
using ModuleNames = std::unordered_map<std::string_view, Type>;

/// The names of a function while it is parsed. Nested `{ }` scopes may redeclare a name; the
/// resulting names are unique in the function (name, name$1, name$2, …). A register is added to
/// Function::registers at its first use, so `%r<1000000>` costs nothing. Names passed as
/// string_view must outlive this object.
class Scopes {
 public:
  /// The meaning of a name in operand position.
  struct Found {
    enum class Kind : uint8_t { nothing, reg, vectorRegister, symbol };
    Kind kind = Kind::nothing;
    uint32_t reg = kNone;  ///< Index of a scalar register.
    unsigned width = 1;    ///< Number of elements of a vector register; see element().
    std::string_view symbol;
    Type type = Type::none;  ///< The element type of a variable.
  };

  /// A declared label. Labels are resolved after the whole function has been read.
  struct LabelSite {
    std::string name;
    uint32_t at = kNone;  ///< Index of the next instruction; kNone if there is no such label.
  };

  Scopes(Function& function, const ModuleNames& moduleNames);

  /// False if the nesting is too deep or the function has too many scopes.
  bool open();
  void close() { current_ = scopes_[current_].parent; }
  [[nodiscard]] size_t depth() const;
  [[nodiscard]] uint32_t current() const { return current_; }

  /// The declare functions return false if the innermost scope already has the name.
  bool declareRegister(std::string_view name, Type type, unsigned width);
  bool declareRange(std::string_view prefix, Type type, uint64_t count);
  /// `type` is the element type of a variable.
  bool declareSymbol(std::string_view name, std::string& uniqueName, Type type = Type::none);
  bool declareLabel(std::string_view name);

  Found find(std::string_view name);
  /// Element `index` of the vector register `name`, which must be declared.
  uint32_t element(std::string_view name, unsigned index);
  /// The label `name` that is visible in `scope`.
  [[nodiscard]] LabelSite findLabel(std::string_view name, uint32_t scope) const;

 private:
  struct Entry {
    bool isRegister = false;
    Type type = Type::none;
    unsigned width = 1;
    std::vector<uint32_t> registers;
    std::string symbol;
  };
  struct Range {
    std::string_view prefix;
    Type type = Type::none;
    uint64_t count = 0;
  };
  struct Scope {
    uint32_t parent = 0;
    std::unordered_map<std::string_view, Entry> entries;
    std::vector<Range> ranges;
    std::unordered_map<std::string_view, LabelSite> labels;
  };

  Entry* findInScope(Scope& scope, std::string_view name);
  Entry* findOutward(std::string_view name);
  uint32_t materialise(Entry& entry, std::string_view name, unsigned index);
  std::string makeUnique(std::string_view name);

  Function& function_;
  const ModuleNames& moduleNames_;
  std::vector<Scope> scopes_;
  uint32_t current_ = 0;
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string, uint32_t> renames_;
};

}  // namespace tilestep::ptx
