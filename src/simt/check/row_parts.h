// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ptx/analysis/register_graph.h"
#include "ptx/ir.h"

namespace tilestep::simt {

/// Finds the registers of a function that hold row * width + column, where `width` is computed from
/// parameters alone, and how certain that is. The width is followed through integer arithmetic. Its
/// product with a value that differs between threads or iterations is the start of a row, and sums
/// propagate it. The analysis is flow-insensitive, with one fact per register.
///
/// Compilers write row * width + (width - 1 - column) as (row + 1) * width - 1 - column. Widths
/// that are added or subtracted outside of loops may therefore belong to the row or to the column;
/// the number that belongs to the column is between `least` and `most`.
class RowParts {
 public:
  enum class Kind : uint8_t {
    number,   ///< Contains no width.
    widths,   ///< `factor` times the width; if not `pure`, plus a number.
    rows,     ///< The start of a row plus a number.
    derived,  ///< Computed from a width in another way, so it may contain whole rows.
    unknown,  ///< May contain a width in an unknown way.
  };
  struct Fact {
    Kind kind = Kind::number;
    int64_t factor = 0;
    bool pure = false;
    bool uniform = false;  ///< The same in all threads of the launch.
    bool sized = false;    ///< Depends on a parameter.
    /// The value may run through several rows, because it was compared with whole rows or
    /// multiplied by another parameter, which may be the true width if the two are equal.
    bool flat = false;
    /// Bounds of the number of widths that belong to a row's column, or of the constants in a
    /// number.
    int64_t least = 0, most = 0;
    bool operator==(const Fact&) const = default;
  };

  /// All three arguments must outlive the object.
  RowParts(const ptx::Function& function, const ptx::RegisterGraph& graph,
           const std::vector<std::string>& widthParameters);

  [[nodiscard]] const Fact& of(uint32_t reg) const { return facts_[reg]; }
  [[nodiscard]] Fact of(const ptx::Operand& operand) const { return of(operand, facts_); }

 private:
  using Facts = std::vector<Fact>;
  static Fact of(const ptx::Operand& operand, const Facts& facts);
  void findLoops();
  [[nodiscard]] bool loops(const ptx::Instruction& instruction, const ptx::Operand& source) const;
  [[nodiscard]] Fact result(const ptx::Instruction& instruction) const;
  [[nodiscard]] std::optional<Fact> linear(const ptx::Instruction& instruction) const;
  [[nodiscard]] Fact sum(Fact a, Fact b, bool looping, bool minus) const;
  [[nodiscard]] Fact product(Fact a, Fact b, const ptx::Operand& left,
                             const ptx::Operand& right) const;
  [[nodiscard]] Fact parameter(const ptx::Instruction& instruction) const;
  [[nodiscard]] Facts results() const;
  void markFlat(Facts& facts) const;

  const ptx::Function& function_;
  const ptx::RegisterGraph& graph_;
  const std::vector<std::string>& widths_;
  ptx::Cycles loops_;  ///< Cycles of registers that are computed from themselves.
  Facts facts_;        ///< By register.
};

}  // namespace tilestep::simt
