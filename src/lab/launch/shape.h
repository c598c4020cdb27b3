// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ptx/analysis/register_graph.h"
#include "ptx/ir.h"
#include "simt/check/provenance.h"

namespace tilestep::lab {

/// A whole number that a launch gives to its kernel.
struct Integer {
  std::string name;  ///< In the author's text.
  int64_t value = 0;
  std::string parameter;  ///< In PTX.
};

/// Which parameters are lengths of rows: address = base + (row * width + column) * bytes.
class RowWidths {
 public:
  /// The kernel must outlive it.
  explicit RowWidths(const ptx::Function& kernel);
  ~RowWidths();
  /// Whether some access through `pointer` steps by rows of `width`; both are names in PTX.
  [[nodiscard]] bool isWidthOf(const std::string& width, const std::string& pointer);

 private:
  const ptx::Function& kernel_;
  ptx::RegisterGraph graph_;
  simt::Provenance provenance_;
  /// By width: the pointers that it is a width of.
  std::map<std::string, std::vector<std::string>> known_;
};

/// Rows and columns by the names of the numbers that they are.
struct Shape {
  Integer rows, columns;
  bool isAddressed = false;  ///< The kernel's addresses step by rows of so many columns.
};

/// Two of the numbers, or one of them twice, whose product is `elements`. Where several are, those
/// that the kernel's addresses show; nothing where that does not decide it.
[[nodiscard]] std::optional<Shape> shapeOf(uint64_t elements, const std::string& pointer,
                                           const std::vector<Integer>& numbers, RowWidths& widths);

}  // namespace tilestep::lab
