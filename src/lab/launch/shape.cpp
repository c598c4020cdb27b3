// SPDX-License-Identifier: Apache-2.0
#include "lab/launch/shape.h"

#include <algorithm>

#include "ptx/analysis/uses.h"
#include "simt/check/row_parts.h"

namespace tilestep::lab {
namespace {

bool isAccess(const ptx::Instruction& i) {
  const bool global = i.space == ptx::Space::global || i.space == ptx::Space::generic;
  return global && ptx::accessesMemory(i);
}

}  // namespace

RowWidths::RowWidths(const ptx::Function& kernel)
    : kernel_(kernel), graph_(kernel), provenance_(kernel) {}
RowWidths::~RowWidths() = default;

bool RowWidths::isWidthOf(const std::string& width, const std::string& pointer) {
  const auto [at, isNew] = known_.try_emplace(width);
  std::vector<std::string>& pointers = at->second;
  if (isNew) {
    const std::vector<std::string> widths{width};
    const simt::RowParts parts(kernel_, graph_, widths);
    for (const ptx::Instruction& instruction : kernel_.body) {
      const ptx::Operand* address = isAccess(instruction) ? ptx::addressOf(instruction) : nullptr;
      if (address == nullptr || address->reg == ptx::kNone ||
          parts.of(address->reg).kind != simt::RowParts::Kind::rows)
        continue;
      const simt::Bases bases = provenance_.of(instruction);
      pointers.insert(pointers.end(), bases.names.begin(), bases.names.end());
    }
  }
  return std::ranges::find(pointers, pointer) != pointers.end();
}

std::optional<Shape> shapeOf(uint64_t elements, const std::string& pointer,
                             const std::vector<Integer>& numbers, RowWidths& widths) {
  std::vector<Shape> fits;
  for (const Integer& rows : numbers) {
    for (const Integer& columns : numbers) {
      if (rows.value < 2 || columns.value < 2) continue;
      uint64_t product = 0;
      if (__builtin_mul_overflow(static_cast<uint64_t>(rows.value),
                                 static_cast<uint64_t>(columns.value), &product) ||
          product != elements)
        continue;
      fits.push_back({rows, columns, widths.isWidthOf(columns.parameter, pointer)});
    }
  }
  if (fits.empty()) return std::nullopt;
  // If all columns are equal, the shapes are the same matrix.
  const bool isOne = std::ranges::all_of(
      fits, [&](const Shape& shape) { return shape.columns.value == fits.front().columns.value; });
  std::vector<Shape> addressed = fits;
  std::erase_if(addressed, [](const Shape& shape) { return !shape.isAddressed; });
  if (!addressed.empty()) {
    // Two different names in the source are better evidence than the same name twice.
    const auto different = std::ranges::find_if(addressed, [](const Shape& shape) {
      return shape.rows.parameter != shape.columns.parameter;
    });
    return different != addressed.end() ? *different : addressed.front();
  }
  if (isOne) return fits.front();
  return std::nullopt;
}

}  // namespace tilestep::lab
