// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::worker {

/// Keeps the last line of a stream of text, because it usually explains why a program ended.
class LastWords {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      if (c == '\n') {
        if (!current_.empty()) last_ = std::move(current_);
        current_.clear();
      } else if (current_.size() < kLongest && c != '\r') {
        current_ += c;
      }
    }
  }
  /// Includes an unfinished line. Empty if there was no text.
  [[nodiscard]] const std::string& line() const { return current_.empty() ? last_ : current_; }

 private:
  static constexpr size_t kLongest = 400;
  std::string current_, last_;
};

}  // namespace tilestep::worker
