// SPDX-License-Identifier: Apache-2.0
#include "ptx/debug/dwarf.h"

#include <charconv>
#include <utility>

namespace tilestep::ptx {
namespace {

constexpr std::string_view kAbbreviations = ".debug_abbrev", kEntries = ".debug_info";
constexpr std::string_view kComment = "// ";

std::string_view trimmed(std::string_view text) {
  constexpr const char* kSpaces = " \t\r";
  const size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

/// Calls visit(line) for each line, trimmed.
template <class Visit>
void eachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    visit(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

/// Appends the data of a line such as ".b8 1,2", in little-endian order. Symbols, as in ".b32
/// .debug_abbrev", count as 0.
void appendData(std::string_view line, std::string& bytes) {
  constexpr std::pair<std::string_view, unsigned> kSizes[] = {
      {".b8 ", 1}, {".b16 ", 2}, {".b32 ", 4}, {".b64 ", 8}};
  for (const auto& [word, size] : kSizes) {
    if (!line.starts_with(word)) continue;
    line = line.substr(word.size(), line.find("//") - word.size());
    while (true) {
      const size_t comma = line.find(',');
      const std::string_view item = trimmed(line.substr(0, comma));
      int64_t value = 0;
      const char* const end = item.data() + item.size();
      if (std::from_chars(item.data(), end, value).ptr != end) value = 0;
      for (unsigned i = 0; i < size; ++i)
        bytes += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
      if (comma == std::string_view::npos) return;
      line.remove_prefix(comma + 1);
    }
  }
}

std::string hexOf(const std::string& bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += kDigits[static_cast<unsigned char>(byte) >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string bytesOfHex(std::string_view text) {
  std::string bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    unsigned value = 0;
    if (std::from_chars(&text[i], &text[i] + 2, value, 16).ptr != &text[i] + 2) return {};
    bytes += static_cast<char>(value);
  }
  return bytes;
}

/// Reads a section. Reads past its end return 0 and make good() false.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes, size_t at = 0) : bytes_(bytes), at_(at) {}

  uint64_t number(unsigned size) {
    uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i) value |= uint64_t{byte()} << (8 * i);
    return value;
  }
  uint64_t leb() {
    uint64_t value = 0;
    for (unsigned shift = 0; good_; shift += 7) {
      const uint8_t next = byte();
      if (shift < 64) value |= uint64_t{next & 127u} << shift;
      if (next < 128) break;
    }
    return value;
  }
  std::string block(uint64_t size) {
    if (size > bytes_.size() - at_) good_ = false;
    if (!good_) return {};
    at_ += size;
    return std::string(bytes_.substr(at_ - size, size));
  }
  std::string text() {
    const size_t end = bytes_.find('\0', at_);
    if (end == std::string_view::npos) good_ = false;
    if (!good_) return {};
    std::string value(bytes_.substr(at_, end - at_));
    at_ = end + 1;
    return value;
  }
  void fail() { good_ = false; }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool more() const { return good_ && at_ < bytes_.size(); }
  [[nodiscard]] size_t at() const { return at_; }

 private:
  uint8_t byte() {
    if (at_ >= bytes_.size()) good_ = false;
    return good_ ? static_cast<uint8_t>(bytes_[at_++]) : 0;
  }
  std::string_view bytes_;
  size_t at_;
  bool good_ = true;
};

struct Abbreviation {
  uint32_t tag = 0;
  bool hasChildren = false;
  std::vector<std::pair<uint32_t, uint32_t>> attributes;  ///< (attribute, form).
};

std::map<uint64_t, Abbreviation> abbreviationsOf(std::string_view bytes) {
  std::map<uint64_t, Abbreviation> all;
  Cursor cursor(bytes);
  while (cursor.more()) {
    const uint64_t code = cursor.leb();
    if (code == 0) break;
    Abbreviation& each = all[code];
    each.tag = static_cast<uint32_t>(cursor.leb());
    each.hasChildren = cursor.number(1) != 0;
    while (cursor.more()) {
      const auto attribute = static_cast<uint32_t>(cursor.leb());
      const auto form = static_cast<uint32_t>(cursor.leb());
      if (attribute == 0 && form == 0) break;
      each.attributes.push_back({attribute, form});
    }
  }
  return all;
}

/// DWARF 4, section 7.5.4.
void readAttribute(Cursor& cursor, uint32_t attribute, uint32_t form, DebugEntry& entry) {
  switch (form) {
    case 0x01:  // addr
    case 0x07:  // data8
    case 0x14:  // ref8
      entry.numbers[attribute] = cursor.number(8);
      return;
    case 0x05:  // data2
    case 0x12:  // ref2
      entry.numbers[attribute] = cursor.number(2);
      return;
    case 0x06:  // data4
    case 0x0e:  // strp
    case 0x10:  // ref_addr
    case 0x13:  // ref4
    case 0x17:  // sec_offset
      entry.numbers[attribute] = cursor.number(4);
      return;
    case 0x0b:  // data1
    case 0x0c:  // flag
    case 0x11:  // ref1
      entry.numbers[attribute] = cursor.number(1);
      return;
    case 0x0d:  // sdata
    case 0x0f:  // udata
    case 0x15:  // ref_udata
      entry.numbers[attribute] = cursor.leb();
      return;
    case 0x19:  // flag_present
      entry.numbers[attribute] = 1;
      return;
    case 0x08:  // string
      entry.texts[attribute] = cursor.text();
      return;
    case 0x03:  // block2
      entry.blocks[attribute] = cursor.block(cursor.number(2));
      return;
    case 0x04:  // block4
      entry.blocks[attribute] = cursor.block(cursor.number(4));
      return;
    case 0x09:  // block
    case 0x18:  // exprloc
      entry.blocks[attribute] = cursor.block(cursor.leb());
      return;
    case 0x0a:  // block1
      entry.blocks[attribute] = cursor.block(cursor.number(1));
      return;
    default:
      cursor.fail();
  }
}

}  // namespace

DebugSections debugSectionsOf(std::string_view ptx) {
  DebugSections sections;
  std::string* current = nullptr;
  eachLine(ptx, [&](std::string_view line) {
    if (line.starts_with(".section")) {
      const std::string_view name = trimmed(line.substr(std::string_view(".section").size()));
      current = name.starts_with(kAbbreviations) ? &sections.abbreviations
                : name.starts_with(kEntries)     ? &sections.entries
                                                 : nullptr;
    } else if (current != nullptr) {
      appendData(line, *current);
    }
  });
  return sections;
}

std::string asComments(const DebugSections& sections) {
  std::string text;
  for (const auto& [name, bytes] :
       {std::pair{kAbbreviations, &sections.abbreviations}, std::pair{kEntries, &sections.entries}})
    if (!bytes->empty())
      text += std::string(kComment) + std::string(name) + " " + hexOf(*bytes) + "\n";
  return text;
}

DebugSections sectionsInComments(std::string_view ptx) {
  DebugSections sections;
  eachLine(ptx, [&](std::string_view line) {
    if (!line.starts_with(kComment)) return;
    line.remove_prefix(kComment.size());
    for (const auto& [name, bytes] : {std::pair{kAbbreviations, &sections.abbreviations},
                                      std::pair{kEntries, &sections.entries}})
      if (line.starts_with(name)) *bytes = bytesOfHex(trimmed(line.substr(name.size())));
  });
  return sections;
}

std::optional<uint64_t> DebugEntry::number(uint32_t attribute) const {
  const auto found = numbers.find(attribute);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

std::string DebugEntry::text(uint32_t attribute) const {
  const auto found = texts.find(attribute);
  return found == texts.end() ? std::string() : found->second;
}

std::vector<DebugEntry> entriesOf(const DebugSections& sections) {
  std::vector<DebugEntry> entries;
  const std::map<uint64_t, Abbreviation> known = abbreviationsOf(sections.abbreviations);
  Cursor cursor(sections.entries);
  cursor.number(4);  // Length.
  const uint64_t version = cursor.number(2);
  cursor.number(4);  // Offset of the abbreviations.
  cursor.number(1);  // Address size.
  if (version < 2 || version > 4) return entries;
  std::vector<size_t> open;
  while (cursor.more()) {
    DebugEntry entry;
    entry.offset = static_cast<uint32_t>(cursor.at());
    const auto found = known.find(cursor.leb());
    if (found == known.end()) {
      // This ends a list of children.
      if (open.empty()) break;
      open.pop_back();
      continue;
    }
    entry.tag = found->second.tag;
    entry.parent = open.empty() ? 0 : open.back();
    for (const auto& [attribute, form] : found->second.attributes)
      readAttribute(cursor, attribute, form, entry);
    if (!cursor.good()) break;
    if (found->second.hasChildren) open.push_back(entries.size());
    entries.push_back(std::move(entry));
    if (open.empty()) break;
  }
  return entries;
}

}  // namespace tilestep::ptx
