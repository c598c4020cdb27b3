// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilestep {

/// A table in UTF-8 with columns two spaces apart. Columns of numbers are aligned to the right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header = {});
  void add(std::vector<std::string> cells);
  [[nodiscard]] std::string text(const std::string& indent = "") const;

 private:
  std::vector<std::vector<std::string>> rows_;
  bool hasHeader_;
};

}  // namespace tilestep
