// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace tilestep::gfx {

/// The objects of a PDF 1.7 file. An object is known by its number, which is written "7 0 R".
class PdfFile {
 public:
  /// Compresses a stream's content as zlib does; nothing where that fails.
  using Deflate = std::function<std::optional<std::string>(std::string_view)>;
  PdfFile();
  explicit PdfFile(Deflate deflate) : deflate_(std::move(deflate)) {}

  /// A number for an object that is added later by set().
  size_t reserve();
  void set(size_t number, std::string object);
  size_t add(std::string object);
  /// `entries`: what its dictionary holds besides the length and the filter. The content is
  /// compressed; take() reports a failure of that.
  size_t addStream(const std::string& entries, std::string_view content);

  /// The whole file. Every reserved object must have been set. An error where a stream could not be
  /// compressed.
  [[nodiscard]] Result<std::string> take(size_t catalog, size_t info) const;

 private:
  Deflate deflate_;
  bool failed_ = false;  ///< A stream could not be compressed.
  std::vector<std::string> objects_;
};

/// "7 0 R"
[[nodiscard]] std::string reference(size_t number);
/// A character's UTF-16 in hexadecimal digits, as "00D7".
[[nodiscard]] std::string utf16Of(char32_t character);
/// Text of the document's own properties, as UTF-16.
[[nodiscard]] std::string pdfText(std::string_view utf8);

}  // namespace tilestep::gfx
