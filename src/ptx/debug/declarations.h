// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/element.h"

/// Declarations in the source, from the compiler's debugging information: names and types that PTX
/// itself does not contain.
namespace tilestep::ptx {

struct DeclaredType {
  enum class Kind : uint8_t { unknown, number, pointer, structure };
  struct Member {
    std::string name;
    uint64_t offset = 0;  ///< Bytes.
    size_t type = 0;      ///< Index in Declarations::types.
  };
  Kind kind = Kind::unknown;
  std::string text;                    ///< In C++ notation: "const float *", "Particle".
  uint64_t bytes = 0;                  ///< 0 if unknown.
  std::optional<ElementType> element;  ///< For supported numeric types.
  size_t target = 0;                   ///< For a pointer, the index of the type that it points to.
  bool isConst = false;                ///< For a pointer, whether its target is const.
  std::vector<Member> members;
};

struct DeclaredVariable {
  std::string name;
  size_t type = 0;                ///< The element type; index in Declarations::types.
  std::vector<uint64_t> extents;  ///< Of an array, outermost first; empty if it is no array.
  uint32_t line = 0;
};

struct DeclaredKernel {
  std::string symbol;  ///< The entry's name in PTX.
  std::string name;    ///< The entry's name in the source.
  uint32_t line = 0;
  std::vector<DeclaredVariable> parameters;
  std::vector<DeclaredVariable> shared;  ///< Shared variables declared in the kernel.
};

struct Declarations {
  std::vector<DeclaredType> types;  ///< The first is the unknown type.
  std::vector<DeclaredKernel> kernels;
  std::vector<DeclaredVariable> variables;  ///< At module scope.

  [[nodiscard]] const DeclaredKernel* kernel(std::string_view symbol) const;
  [[nodiscard]] const DeclaredType& typeOf(const DeclaredVariable& variable) const {
    return types[variable.type];
  }
};

/// Reads the comments that asComments() in debug/dwarf.h writes. Empty if there are none.
[[nodiscard]] Declarations declarationsIn(std::string_view ptx);

}  // namespace tilestep::ptx
