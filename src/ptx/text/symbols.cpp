// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/symbols.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace tilestep::ptx {
namespace {

/// The demangled symbol, or the symbol itself if it is not mangled.
std::string demangle(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : symbol;
}

/// The last component of a name: it starts after "::" or the space after a return type, and ends
/// before the parameter list. Scans backward and ignores text in brackets.
std::string lastComponent(const std::string& text) {
  size_t end = text.size();
  int depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    const char c = text[i];
    if (c == ')' || c == '>' || c == ']' || c == '}') ++depth;
    if (c == '(' || c == '<' || c == '[' || c == '{') --depth;
    if (depth != 0) continue;
    if (c == '(') end = i;
    const bool startsAfter = (c == ':' || c == ' ') && i + 1 < end;
    if (startsAfter) return text.substr(i + 1, end - i - 1);
  }
  return text.substr(0, end);
}

}  // namespace

std::string displayName(std::string_view symbol) {
  const std::string name = lastComponent(demangle(std::string(symbol)));
  return name.empty() ? std::string(symbol) : name;
}

}  // namespace tilestep::ptx
