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

/// An HTML page as strict readers see it: every attribute is quoted, and every element is closed.
struct HtmlPage {
  std::vector<HtmlElement> elements;  ///< In the order in which they begin.
  std::string text;                   ///< Outside of tags, scripts and styles; entities resolved.
  std::string problem;                ///< Why it cannot be read; empty: it can.

  [[nodiscard]] std::vector<HtmlElement> named(const std::string& name) const;
  [[nodiscard]] std::vector<HtmlElement> with(const std::string& attribute,
                                              const std::string& value) const;
  /// Addresses that a browser would fetch from elsewhere, and attributes that would run scripts.
  [[nodiscard]] std::vector<std::string> dangers() const;
};
[[nodiscard]] HtmlPage readHtml(const std::string& html);

/// The bytes that RFC 4648 encodes so.
[[nodiscard]] std::string fromBase64(const std::string& text);

}  // namespace tilestep::support
