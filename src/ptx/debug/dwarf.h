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

/// Debugging information as clang writes it into PTX: one unit of DWARF 2 to 4, with its texts in
/// place.
struct DebugSections {
  std::string abbreviations, entries;  ///< Bytes of .debug_abbrev and .debug_info.
};

/// The sections of a compiler's PTX. Addresses and references to other sections are 0 there. Empty
/// where there are none.
[[nodiscard]] DebugSections debugSectionsOf(std::string_view ptx);

/// The same as lines of comments, which every reader of PTX passes over, and back.
[[nodiscard]] std::string asComments(const DebugSections& sections);
[[nodiscard]] DebugSections sectionsInComments(std::string_view ptx);

/// One entry of .debug_info. Its number is its place in the list.
struct DebugEntry {
  uint32_t tag = 0;                        ///< DW_TAG_…; 0: the end of a list.
  size_t parent = 0;                       ///< The first entry is its own parent.
  uint32_t offset = 0;                     ///< In the section: what references name.
  std::map<uint32_t, uint64_t> numbers;    ///< By DW_AT_…; references are offsets.
  std::map<uint32_t, std::string> texts;   ///< Likewise.
  std::map<uint32_t, std::string> blocks;  ///< Expressions, by their bytes.

  [[nodiscard]] std::optional<uint64_t> number(uint32_t attribute) const;
  [[nodiscard]] std::string text(uint32_t attribute) const;
};

/// The entries in their order; those before a form that is not known where there is one. Total:
/// reads nothing beyond the sections.
[[nodiscard]] std::vector<DebugEntry> entriesOf(const DebugSections& sections);

}  // namespace tilestep::ptx
