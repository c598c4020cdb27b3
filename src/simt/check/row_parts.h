// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::simt {

/// Which registers of a function hold row * width + column, where `width` is the value of some
/// parameters, and how sure that is. Found by following the width through integer arithmetic: a
/// product of it and something that threads or rounds of a loop differ in is a row; sums carry it
/// on. Flow-insensitive: one fact a register.
///
/// Compilers write row * width + (width - 1 - column) as (row + 1) * width - 1 - column: widths
/// that are added or taken away outside of loops may belong to either part, and `least` to `most`
/// of them are left open.
class RowParts {
 public:
  enum class Kind : uint8_t {
    number,   ///< No width in it.
    widths,   ///< `factor` times the width, and a number where it is not `pure`.
    rows,     ///< A row's start and a number.
    derived,  ///< Made from a width in another way: it may hold whole rows, or none.
    unknown,  ///< Or something that was made of these.
  };
  struct Fact {
    Kind kind = Kind::number;
    int64_t factor = 0;
    bool pure = false;
    bool uniform = false;  ///< The same in all threads of the launch.
    bool sized = false;    ///< Holds a parameter.
    /// It may count through several rows: it was compared with whole ones, or is a product with
    /// another parameter, which may be the true width where two happen to be equal.
    bool flat = false;
    /// Of rows: widths that may belong to the column. Of numbers: constants in the sum.
    int64_t least = 0, most = 0;
    bool operator==(const Fact&) const = default;
  };

  RowParts(const ptx::Function& function, const std::vector<std::string>& widthParameters);

  [[nodiscard]] const Fact& of(uint32_t reg) const { return facts_[reg]; }
  /// Of a source operand.
  [[nodiscard]] Fact of(const ptx::Operand& operand) const;

 private:
  void findLoops();
  [[nodiscard]] bool loops(const ptx::Instruction& instruction, const ptx::Operand& source) const;
  [[nodiscard]] Fact result(const ptx::Instruction& instruction) const;
  [[nodiscard]] Fact sum(const ptx::Instruction& instruction, Fact a, Fact b, bool looping,
                         bool minus) const;
  [[nodiscard]] Fact product(Fact a, Fact b, const ptx::Operand& left,
                             const ptx::Operand& right) const;
  [[nodiscard]] Fact parameter(const ptx::Instruction& instruction) const;
  void oneRound(const std::vector<Fact>& before);
  void markFlat();

  const ptx::Function& function_;
  const std::vector<std::string>& widths_;
  std::vector<uint32_t> component_;  ///< Of the registers' flow, by register.
  std::vector<bool> cyclic_;         ///< By register: its component is a loop.
  std::vector<Fact> facts_;
};

}  // namespace tilestep::simt
