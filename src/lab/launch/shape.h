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

/// An integer that a launch passes to its kernel.
struct Integer {
  std::string name;  ///< As named in the source.
  int64_t value = 0;
  std::string parameter;  ///< As named in PTX.
};

/// Finds the parameters that are row lengths: address = base + (row * width + column) * bytes.
class RowWidths {
 public:
  /// The kernel must outlive this object.
  explicit RowWidths(const ptx::Function& kernel);
  ~RowWidths();
  /// Whether some access through `pointer` has a row stride of `width`; both are PTX names.
  [[nodiscard]] bool isWidthOf(const std::string& width, const std::string& pointer);

 private:
  const ptx::Function& kernel_;
  ptx::RegisterGraph graph_;
  simt::Provenance provenance_;
  /// The pointers with a given row stride, by the PTX name of that stride.
  std::map<std::string, std::vector<std::string>> known_;
};

/// Rows and columns, as named numbers.
struct Shape {
  Integer rows, columns;
  bool isAddressed = false;  ///< The kernel's addresses use this row length.
};

/// Two of the numbers, or the same number twice, whose product is `elements`. If several pairs
/// match, the pair that the kernel's addresses use; nothing if the choice is still ambiguous.
[[nodiscard]] std::optional<Shape> shapeOf(uint64_t elements, const std::string& pointer,
                                           const std::vector<Integer>& numbers, RowWidths& widths);

}  // namespace tilestep::lab
