// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace tilestep::support {

struct HtmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;  ///< As written, with their entities.
};

/// An HTML page read by strict rules: every attribute is quoted, and every element is closed.
struct HtmlPage {
  std::vector<HtmlElement> elements;  ///< In the order of their start tags.
  std::string text;     ///< The text outside of tags, scripts and styles, with entities resolved.
  std::string problem;  ///< Why the page is invalid; empty if it is valid.

  [[nodiscard]] std::vector<HtmlElement> named(const std::string& name) const;
  [[nodiscard]] std::vector<HtmlElement> with(const std::string& attribute,
                                              const std::string& value) const;
  /// Addresses that a browser would load, and attributes that would run scripts.
  [[nodiscard]] std::vector<std::string> dangers() const;
};
[[nodiscard]] HtmlPage readHtml(const std::string& html);

/// Decodes base64 (RFC 4648).
[[nodiscard]] std::string fromBase64(const std::string& text);

}  // namespace tilestep::support
