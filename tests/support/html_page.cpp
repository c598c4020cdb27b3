// SPDX-License-Identifier: Apache-2.0
#include "support/html_page.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

namespace tilestep::support {
namespace {

constexpr std::string_view kBlanks = " \t\n";

bool isVoid(const std::string& name) {
  static const std::set<std::string> kNames{"meta", "input", "br", "img", "link", "wbr"};
  return kNames.contains(name);
}

void resolveEntities(std::string& text) {
  constexpr std::array<std::pair<const char*, const char*>, 5> kEntities{
      {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}}};
  for (const auto& [entity, sign] : kEntities)
    for (size_t at = text.find(entity); at != text.npos; at = text.find(entity, at + 1))
      text.replace(at, std::string_view(entity).size(), sign);
}

class Reader {
 public:
  explicit Reader(const std::string& html) : html_(html) {}

  HtmlPage read() {
    while (at_ < html_.size() && page_.problem.empty()) {
      if (html_[at_] == '<')
        readTag();
      else
        page_.text += html_[at_++];
    }
    if (page_.problem.empty() && !open_.empty()) page_.problem = open_.back() + " is never closed";
    resolveEntities(page_.text);
    return std::move(page_);
  }

 private:
  void fail(const std::string& why) {
    if (page_.problem.empty())
      page_.problem = why + " near: " + html_.substr(std::min(at_, html_.size()), 60);
  }

  void readTag() {
    ++at_;
    if (html_.compare(at_, 8, "!DOCTYPE") == 0) return void(at_ = html_.find('>', at_) + 1);
    const bool closes = html_[at_] == '/';
    if (closes) ++at_;
    const size_t end = html_.find_first_of(" \t\n/>", at_);
    if (end == html_.npos || end == at_) return fail("a bare < ");
    HtmlElement element{html_.substr(at_, end - at_), {}};
    at_ = end;
    if (closes) return close(element.name);
    const bool closed = readAttributes(element);
    page_.elements.push_back(element);
    if (closed || isVoid(element.name)) return;
    open_.push_back(element.name);
    if (element.name == "script" || element.name == "style") skipTo("</" + element.name);
  }

  void close(const std::string& name) {
    if (open_.empty() || open_.back() != name) return fail("</" + name + "> closes nothing");
    open_.pop_back();
    at_ = html_.find('>', at_) + 1;
  }

  void skipTo(const std::string& end) {
    at_ = html_.find(end, at_);
    if (at_ == html_.npos) fail(end + "> is missing");
  }

  /// Whether the element is self-closing, as in <use/>.
  bool readAttributes(HtmlElement& element) {
    for (;;) {
      at_ = html_.find_first_not_of(kBlanks, at_);
      if (at_ == html_.npos) return fail("a tag has no end"), true;
      if (html_[at_] == '>') return ++at_, false;
      if (html_.compare(at_, 2, "/>") == 0) return at_ += 2, true;
      const size_t end = html_.find_first_of("= \t\n>", at_);
      const std::string name = html_.substr(at_, end - at_);
      at_ = end;
      std::string value;
      if (html_[at_] == '=') {
        if (html_[at_ + 1] != '"') return fail("an attribute without quotes"), true;
        const size_t close = html_.find('"', at_ + 2);
        if (close == html_.npos) return fail("a quote is never closed"), true;
        value = html_.substr(at_ + 2, close - at_ - 2);
        at_ = close + 1;
      }
      if (!element.attributes.emplace(name, value).second) fail("twice " + name);
    }
  }

  const std::string& html_;
  size_t at_ = 0;
  HtmlPage page_;
  std::vector<std::string> open_;
};

}  // namespace

std::vector<HtmlElement> HtmlPage::named(const std::string& name) const {
  std::vector<HtmlElement> found;
  std::ranges::copy_if(elements, std::back_inserter(found),
                       [&](const HtmlElement& element) { return element.name == name; });
  return found;
}

std::vector<HtmlElement> HtmlPage::with(const std::string& attribute,
                                        const std::string& value) const {
  std::vector<HtmlElement> found;
  std::ranges::copy_if(elements, std::back_inserter(found), [&](const HtmlElement& element) {
    const auto at = element.attributes.find(attribute);
    return at != element.attributes.end() && at->second == value;
  });
  return found;
}

std::vector<std::string> HtmlPage::dangers() const {
  static const std::set<std::string> kFetching{"link",  "iframe", "object", "embed",
                                               "audio", "video",  "base",   "form"};
  std::vector<std::string> found;
  for (const HtmlElement& element : elements) {
    if (kFetching.contains(element.name)) found.push_back("<" + element.name + ">");
    for (const auto& [name, value] : element.attributes) {
      const bool refers = name == "src" || name == "href" || name == "srcset" || name == "action" ||
                          name == "xlink:href" || name == "poster";
      const bool inside = value.starts_with("#") || value.starts_with("data:image/png;base64,");
      if ((refers && !inside) || name.starts_with("on") || name == "style")
        found.push_back("<" + element.name + " " + name + "=\"" + value.substr(0, 40) + "\">");
    }
  }
  return found;
}

HtmlPage readHtml(const std::string& html) {
  return Reader(html).read();
}

std::string fromBase64(const std::string& text) {
  constexpr std::string_view kSigns =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int held = 0;
  for (const char sign : text) {
    const size_t value = kSigns.find(sign);
    if (value == kSigns.npos) break;
    bits = bits << 6 | static_cast<unsigned>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xFF);
  }
  return bytes;
}

}  // namespace tilestep::support
