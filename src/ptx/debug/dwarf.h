// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilestep::ptx {

/// Debugging information as clang writes it into PTX: one unit of DWARF 2 to 4 with inline strings.
struct DebugSections {
  std::string abbreviations, entries;  ///< Bytes of .debug_abbrev and .debug_info.
};

/// The sections of a compiler's PTX, with 0 for addresses and references to other sections. Empty
/// if there are none.
[[nodiscard]] DebugSections debugSectionsOf(std::string_view ptx);

/// The sections as comment lines, which all PTX readers skip, and the inverse.
[[nodiscard]] std::string asComments(const DebugSections& sections);
[[nodiscard]] DebugSections sectionsInComments(std::string_view ptx);

/// One entry of .debug_info. Its number is its index in the list.
struct DebugEntry {
  uint32_t tag = 0;                        ///< DW_TAG_…; 0: the end of a list.
  size_t parent = 0;                       ///< The first entry is its own parent.
  uint32_t offset = 0;                     ///< In the section; references use it.
  std::map<uint32_t, uint64_t> numbers;    ///< By DW_AT_…; references are offsets.
  std::map<uint32_t, std::string> texts;   ///< Likewise.
  std::map<uint32_t, std::string> blocks;  ///< Expressions, as bytes.

  [[nodiscard]] std::optional<uint64_t> number(uint32_t attribute) const;
  [[nodiscard]] std::string text(uint32_t attribute) const;
};

/// The entries in order, up to the first unknown form. Accepts any input and never reads beyond the
/// sections.
[[nodiscard]] std::vector<DebugEntry> entriesOf(const DebugSections& sections);

}  // namespace tilestep::ptx
