// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/entries.h"

#include <algorithm>
#include <cctype>

#include "base/nearest_name.h"
#include "compile/front_matter/symbols.h"
#include "ptx/text/symbols.h"

namespace tilestep::compile {
namespace {

bool isLetter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string_view lastPart(std::string_view name) {
  const size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

/// "reduce" of "ns::reduce<256>".
std::string_view templateOf(std::string_view entry) {
  return lastPart(entry.substr(0, entry.find('<')));
}

bool isQualifiedName(std::string_view name) {
  for (size_t at = name.find("::"); at != std::string_view::npos; at = name.find("::")) {
    if (!isIdentifier(name.substr(0, at))) return false;
    name.remove_prefix(at + 2);
  }
  return isIdentifier(name);
}

/// Removes whitespace and suffixes of numbers, because compilers write 256u where users write 256.
std::string normal(std::string_view text) {
  std::string result;
  bool inNumber = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t') continue;
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (inNumber && (c == 'u' || c == 'l' || c == 'U' || c == 'L')) continue;
    inNumber = digit && (inNumber || result.empty() || !isLetter(result.back()));
    result += c;
  }
  return result;
}

std::string withValues(const std::string& entry, const Bindings& tunables) {
  std::string result;
  for (size_t at = 0; at < entry.size();) {
    size_t end = at + 1;
    if (isLetter(entry[at])) {
      while (end < entry.size() && isLetter(entry[end])) ++end;
    }
    const std::string word = entry.substr(at, end - at);
    const auto value = tunables.find(word);
    result += value == tunables.end() ? word : std::to_string(value->second);
    at = end;
  }
  return result;
}

/// The function of this instance, or null. The only instance of a template need not match exactly.
const ptx::Function* findInstance(const ptx::Module& module, const std::string& expression) {
  const std::string wanted = normal(lastPart(expression.substr(0, expression.find('<')))) +
                             normal(expression.substr(expression.find('<')));
  const ptx::Function* only = nullptr;
  int instances = 0;
  for (const ptx::Function& function : module.functions) {
    const std::string shown = ptx::displayName(function.name);
    if (!function.isEntry || function.isExtern || templateOf(shown) != templateOf(expression))
      continue;
    if (normal(shown) == wanted) return &function;
    only = &function;
    ++instances;
  }
  return instances == 1 ? only : nullptr;
}

}  // namespace

bool isEntryName(std::string_view entry) {
  const size_t open = entry.find('<');
  if (open == std::string_view::npos) return isQualifiedName(entry);
  return isQualifiedName(entry.substr(0, open)) && entry.back() == '>' &&
         entry.find_first_of(";{}\"'\\\n#") == std::string_view::npos;
}

std::string moduleNameOf(std::string_view entry) {
  if (entry.find('<') == std::string_view::npos) return std::string(lastPart(entry));
  std::string name;
  for (const char c : entry) {
    if (isLetter(c)) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

Error overloadedEntry(const std::string& entry) {
  return requestError(
      "this file has several __global__ functions called " + entry +
      ", which differ in their parameters; overloads are not supported, so give each its own name");
}

std::vector<Instance> instancesOf(const KernelSource& source, const Bindings& tunables) {
  std::vector<Instance> instances;
  if (source.text.find("template") == std::string::npos) return instances;
  const Result<KernelSpec> spec = parseKernel(source);
  if (!spec) return instances;
  for (const LaunchSpec& launch : spec->launches) {
    const std::string& entry = launch.entry.empty() ? spec->entry : launch.entry;
    const bool known = std::any_of(instances.begin(), instances.end(),
                                   [&](const Instance& other) { return other.entry == entry; });
    if (known || entry.find('<') == std::string::npos) continue;
    instances.push_back({entry, withValues(entry, tunables), spec->entryLine});
  }
  return instances;
}

Status nameInstances(ptx::Module& module, const std::vector<Instance>& instances,
                     const std::string& path) {
  for (const Instance& instance : instances) {
    const ptx::Function* function = findInstance(module, instance.expression);
    if (!function) {
      Error error = requestError("none of the compiled kernels can be identified as " +
                                 instance.expression + "; fix entry in the front matter");
      if (instance.line > 0) error.where = TextLocation{path, instance.line, 0};
      return error;
    }
    renameFunctions(module, {{function->name, moduleNameOf(instance.entry)}});
  }
  return {};
}

}  // namespace tilestep::compile
