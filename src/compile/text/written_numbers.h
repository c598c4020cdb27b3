// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "compile/text/token_ranges.h"

namespace tilestep::compile {

/// Whole numbers that a text states: the values of names (#define NAME 16, NAME = 2 * n, if all of
/// a name's definitions agree), and their sums, products and quotients as in C++.
class WrittenNumbers {
 public:
  /// The tokens' text must outlive this.
  explicit WrittenNumbers(const CudaTokens& tokens);

  /// A number above 0 and up to 2^40; nothing where the text does not say.
  [[nodiscard]] std::optional<int64_t> of(const CudaTokens& tokens) const;

 private:
  void define(std::string_view line);
  void keep(std::string_view name, const CudaTokens& value);

  std::map<std::string, CudaTokens> known_;
};

}  // namespace tilestep::compile
