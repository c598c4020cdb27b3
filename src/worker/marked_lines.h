// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace tilestep::worker {

/// Prefixes each line of a text with a mark, so that the line cannot be confused with our own
/// output. The text arrives in pieces.
class MarkedLines {
 public:
  explicit MarkedLines(std::string mark) : mark_(std::move(mark)) {}

  [[nodiscard]] std::string add(std::string_view piece) {
    std::string marked;
    for (const char c : piece) {
      if (begins_) marked += mark_;
      marked += c;
      begins_ = c == '\n';
    }
    return marked;
  }
  /// Whether the next piece begins a line.
  [[nodiscard]] bool begins() const { return begins_; }

 private:
  std::string mark_;
  bool begins_ = true;
};

}  // namespace tilestep::worker
