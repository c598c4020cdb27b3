// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/element.h"

/// What the author's text declares, as the compiler's debugging information has it: names and
/// types that PTX itself does not keep.
namespace tilestep::ptx {

struct DeclaredType {
  enum class Kind : uint8_t { unknown, number, pointer, structure };
  struct Member {
    std::string name;
    uint64_t offset = 0;  ///< Bytes.
    size_t type = 0;      ///< In Declarations::types.
  };
  Kind kind = Kind::unknown;
  std::string text;                    ///< As C++ writes it: "const float *", "Particle".
  uint64_t bytes = 0;                  ///< 0: not known.
  std::optional<ElementType> element;  ///< Of a number, where there is one for it.
  size_t target = 0;                   ///< Of a pointer: what it points to, in the same list.
  bool isConst = false;                ///< What a pointer points to may not be written through it.
  std::vector<Member> members;
};

struct DeclaredVariable {
  std::string name;
  size_t type = 0;                ///< Of one element, in Declarations::types.
  std::vector<uint64_t> extents;  ///< Of an array, outermost first; else empty.
  uint32_t line = 0;
};

struct DeclaredKernel {
  std::string symbol;  ///< The entry's name in PTX.
  std::string name;    ///< In the text.
  uint32_t line = 0;
  std::vector<DeclaredVariable> parameters;
  std::vector<DeclaredVariable> shared;  ///< Those that are declared in it.
};

struct Declarations {
  std::vector<DeclaredType> types;  ///< The first is unknown.
  std::vector<DeclaredKernel> kernels;
  std::vector<DeclaredVariable> variables;  ///< Of the module.

  [[nodiscard]] const DeclaredKernel* kernel(std::string_view symbol) const;
  [[nodiscard]] const DeclaredType& typeOf(const DeclaredVariable& variable) const {
    return types[variable.type];
  }
};

/// Of a text that has them as comments (debug/dwarf.h). Empty where it has none.
[[nodiscard]] Declarations declarationsIn(std::string_view ptx);

}  // namespace tilestep::ptx
