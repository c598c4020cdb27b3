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

/// Debugging information in clang's PTX: one unit of DWARF 2 to 4 with inline strings.
struct DebugSections {
  std::string abbreviations, entries;  ///< Bytes of .debug_abbrev and .debug_info.
};

/// The debugging sections of a compiler's PTX, or empty. Addresses and cross-references are 0.
[[nodiscard]] DebugSections debugSectionsOf(std::string_view ptx);

/// Writes the sections as comment lines, which all PTX readers skip, and reads them back.
[[nodiscard]] std::string asComments(const DebugSections& sections);
[[nodiscard]] DebugSections sectionsInComments(std::string_view ptx);

/// One entry of .debug_info.
struct DebugEntry {
  uint32_t tag = 0;                        ///< DW_TAG_…
  size_t parent = 0;                       ///< Index of its parent; 0 for the first entry.
  uint32_t offset = 0;                     ///< In the section; references contain it.
  std::map<uint32_t, uint64_t> numbers;    ///< By DW_AT_…; references are offsets.
  std::map<uint32_t, std::string> texts;   ///< By DW_AT_….
  std::map<uint32_t, std::string> blocks;  ///< Expressions, as bytes.

  [[nodiscard]] std::optional<uint64_t> number(uint32_t attribute) const;
  [[nodiscard]] std::string text(uint32_t attribute) const;
};

/// The entries in order, up to the first attribute of an unknown form. Safe for any input.
[[nodiscard]] std::vector<DebugEntry> entriesOf(const DebugSections& sections);

}  // namespace tilestep::ptx
