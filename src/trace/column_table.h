// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "trace/block_trace.h"

namespace tilestep::trace {

/// Finds columns by name. Keeps an error about the first column that is missing or has an invalid
/// length. `what` completes the message "the WHAT is damaged: …".
class ColumnTable {
 public:
  ColumnTable(const std::vector<BlockTrace::Column>& columns, std::string what)
      : what_(std::move(what)) {
    for (const auto& column : columns) byName_[column.name] = &column.bytes;
  }

  template <class T>
  void read(const std::string& name, std::vector<T>& into) {
    const auto at = byName_.find(name);
    if (at == byName_.end()) return fail("column " + name + " is missing");
    auto values = fromColumn<T>(*at->second);
    if (!values) return fail("column " + name + " has a broken length");
    into = std::move(*values);
  }
  template <class T>
  void read(const std::string& name, std::vector<T>& into, size_t length) {
    read(name, into);
    if (into.size() != length) {
      fail("column " + name + " has " + std::to_string(into.size()) + " entries instead of " +
           std::to_string(length));
    }
  }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  void fail(const std::string& flaw) {
    if (!error_) error_ = workError("the " + what_ + " is damaged: " + flaw);
  }
  std::string what_;
  std::map<std::string, const std::vector<std::byte>*> byName_;
  std::optional<Error> error_;
};

}  // namespace tilestep::trace
