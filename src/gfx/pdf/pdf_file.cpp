// SPDX-License-Identifier: Apache-2.0
#include "gfx/pdf/pdf_file.h"

#include <zlib.h>

#include <cstdio>
#include <utility>

#include "gfx/pdf/utf8.h"

namespace tilestep::gfx {
namespace {

/// Nothing where zlib fails, which it does only without memory.
std::optional<std::string> deflated(std::string_view content) {
  uLongf size = compressBound(static_cast<uLong>(content.size()));
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                reinterpret_cast<const Bytef*>(content.data()), static_cast<uLong>(content.size()),
                Z_BEST_COMPRESSION) != Z_OK)
    return std::nullopt;
  packed.resize(size);
  return packed;
}

std::string tenDigits(size_t offset) {
  char text[24];
  std::snprintf(text, sizeof text, "%010zu", offset);
  return text;
}

}  // namespace

PdfFile::PdfFile() : PdfFile(deflated) {}

size_t PdfFile::reserve() {
  objects_.emplace_back();
  return objects_.size();
}

void PdfFile::set(size_t number, std::string object) {
  objects_[number - 1] = std::move(object);
}

size_t PdfFile::add(std::string object) {
  const size_t number = reserve();
  set(number, std::move(object));
  return number;
}

size_t PdfFile::addStream(const std::string& entries, std::string_view content) {
  const std::optional<std::string> made = deflate_(content);
  failed_ |= !made;
  const std::string packed = made.value_or("");
  return add("<<" + entries + " /Filter /FlateDecode /Length " + std::to_string(packed.size()) +
             ">>\nstream\n" + packed + "\nendstream");
}

Result<std::string> PdfFile::take(size_t catalog, size_t info) const {
  if (failed_)
    return workError("There is not enough memory to compress the PDF; save fewer steps, or SVG");
  // The second line tells programs that the file is binary.
  std::string file = "%PDF-1.7\n%\xE2\xE3\xCF\xD3\n";
  std::string table;
  for (size_t i = 0; i < objects_.size(); ++i) {
    table += tenDigits(file.size()) + " 00000 n \n";
    file += std::to_string(i + 1) + " 0 obj\n" + objects_[i] + "\nendobj\n";
  }
  const std::string count = std::to_string(objects_.size() + 1),
                    start = std::to_string(file.size());
  return file + "xref\n0 " + count + "\n0000000000 65535 f \n" + table + "trailer\n<</Size " +
         count + " /Root " + reference(catalog) + " /Info " + reference(info) + ">>\nstartxref\n" +
         start + "\n%%EOF\n";
}

std::string reference(size_t number) {
  return std::to_string(number) + " 0 R";
}

std::string utf16Of(char32_t character) {
  char text[12];
  if (character < 0x10000)
    std::snprintf(text, sizeof text, "%04X", static_cast<unsigned>(character));
  else
    std::snprintf(text, sizeof text, "%04X%04X",
                  static_cast<unsigned>(0xD800 + ((character - 0x10000) >> 10)),
                  static_cast<unsigned>(0xDC00 + ((character - 0x10000) & 0x3FF)));
  return text;
}

std::string pdfText(std::string_view utf8) {
  std::string text = "<FEFF";
  for (const char32_t character : charactersOf(utf8)) text += utf16Of(character);
  return text + ">";
}

}  // namespace tilestep::gfx
