// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/scopes.h"

#include <charconv>

namespace tilestep::ptx {
namespace {

constexpr size_t kMaxDepth = 64;
constexpr size_t kMaxScopes = 1 << 16;
constexpr uint32_t kNoParent = kNone;

/// Whether `name` is `prefix` followed by a number below `count` without leading zeros.
bool isInRange(std::string_view name, std::string_view prefix, uint64_t count) {
  if (name.size() <= prefix.size() || !name.starts_with(prefix)) return false;
  const std::string_view digits = name.substr(prefix.size());
  if (digits.size() > 1 && digits[0] == '0') return false;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() && number < count;
}

}  // namespace

Scopes::Scopes(Function& function, const ModuleNames& moduleNames)
    : function_(function), moduleNames_(moduleNames) {
  scopes_.emplace_back().parent = kNoParent;
}

bool Scopes::open() {
  if (depth() >= kMaxDepth || scopes_.size() >= kMaxScopes) return false;
  scopes_.emplace_back().parent = current_;
  current_ = static_cast<uint32_t>(scopes_.size() - 1);
  return true;
}

size_t Scopes::depth() const {
  size_t depth = 0;
  for (uint32_t scope = current_; scope != kNoParent; scope = scopes_[scope].parent) ++depth;
  return depth;
}

bool Scopes::declareRegister(std::string_view name, Type type, unsigned width) {
  Scope& scope = scopes_[current_];
  if (findInScope(scope, name) != nullptr) return false;
  scope.entries.emplace(name, Entry{true, type, width, {}, {}});
  return true;
}

bool Scopes::declareRange(std::string_view prefix, Type type, uint64_t count) {
  Scope& scope = scopes_[current_];
  for (const Range& range : scope.ranges) {
    if (range.prefix == prefix) return false;
  }
  scope.ranges.push_back({prefix, type, count});
  return true;
}

bool Scopes::declareSymbol(std::string_view name, std::string& uniqueName, Type type) {
  Scope& scope = scopes_[current_];
  if (findInScope(scope, name) != nullptr) return false;
  uniqueName = makeUnique(name);
  scope.entries.emplace(name, Entry{false, type, 1, {}, uniqueName});
  return true;
}

bool Scopes::declareLabel(std::string_view name) {
  Scope& scope = scopes_[current_];
  if (scope.labels.contains(name)) return false;
  const auto at = static_cast<uint32_t>(function_.body.size());
  const LabelSite site{makeUnique(name), at};
  function_.labels.push_back({site.name, at});
  scope.labels.emplace(name, site);
  return true;
}

Scopes::Entry* Scopes::findInScope(Scope& scope, std::string_view name) {
  const auto found = scope.entries.find(name);
  if (found != scope.entries.end()) return &found->second;
  for (const Range& range : scope.ranges) {
    if (!isInRange(name, range.prefix, range.count)) continue;
    return &scope.entries.emplace(name, Entry{true, range.type, 1, {}, {}}).first->second;
  }
  return nullptr;
}

uint32_t Scopes::materialise(Entry& entry, std::string_view name, unsigned index) {
  if (entry.registers.empty()) entry.registers.assign(entry.width, kNone);
  uint32_t& reg = entry.registers[index];
  if (reg != kNone) return reg;
  std::string element(name);
  if (entry.width > 1) element += std::string("$") + "xyzw"[index];
  reg = static_cast<uint32_t>(function_.registers.size());
  function_.registers.push_back({makeUnique(element), entry.type});
  return reg;
}

Scopes::Entry* Scopes::findOutward(std::string_view name) {
  for (uint32_t scope = current_; scope != kNoParent; scope = scopes_[scope].parent) {
    Entry* entry = findInScope(scopes_[scope], name);
    if (entry != nullptr) return entry;
  }
  return nullptr;
}

Scopes::Found Scopes::find(std::string_view name) {
  Entry* entry = findOutward(name);
  if (entry == nullptr) {
    const auto known = moduleNames_.find(name);
    return known != moduleNames_.end() ? Found{Found::Kind::symbol, kNone, 1, name, known->second}
                                       : Found{};
  }
  if (!entry->isRegister) return {Found::Kind::symbol, kNone, 1, entry->symbol, entry->type};
  if (entry->width > 1) return {Found::Kind::vectorRegister, kNone, entry->width, {}, Type::none};
  return {Found::Kind::reg, materialise(*entry, name, 0), 1, {}, Type::none};
}

uint32_t Scopes::element(std::string_view name, unsigned index) {
  return materialise(*findOutward(name), name, index);
}

Scopes::LabelSite Scopes::findLabel(std::string_view name, uint32_t scope) const {
  for (; scope != kNoParent; scope = scopes_[scope].parent) {
    const auto found = scopes_[scope].labels.find(name);
    if (found != scopes_[scope].labels.end()) return found->second;
  }
  return {};
}

std::string Scopes::makeUnique(std::string_view name) {
  std::string candidate(name);
  uint32_t& next = renames_[candidate];
  while (moduleNames_.contains(candidate) || !used_.insert(candidate).second) {
    candidate = std::string(name) + "$" + std::to_string(++next);
  }
  return candidate;
}

}  // namespace tilestep::ptx
