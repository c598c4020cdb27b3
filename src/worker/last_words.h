// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::worker {

/// Keeps the last line of a stream of text, because a program's last line is usually why it ended.
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
  /// An unfinished line counts; empty where nothing was said.
  [[nodiscard]] const std::string& line() const { return current_.empty() ? last_ : current_; }

 private:
  static constexpr size_t kLongest = 400;
  std::string current_, last_;
};

}  // namespace tilestep::worker
