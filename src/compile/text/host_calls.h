// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "compile/text/token_ranges.h"

namespace tilestep::compile {

/// Where the host's part of a program launches kernels and prepares what it passes them, found in
/// one pass; positions are indices of tokens. Of several places for one name the first counts.
class HostCalls {
 public:
  struct Launch {
    size_t name = 0, open = 0;  ///< The kernel's name, and the "<<<".
  };

  explicit HostCalls(const CudaTokens& tokens);

  /// The first launch of that kernel; nothing where the program has none.
  [[nodiscard]] std::optional<Launch> launch(std::string_view kernel) const;
  /// The "(" of the cudaMalloc or cudaMallocManaged that is given &name.
  [[nodiscard]] std::optional<size_t> allocation(std::string_view name) const;
  /// Whether there is a cudaMemset(name, 0, …).
  [[nodiscard]] bool isZeroed(std::string_view name) const { return zeroed_.contains(name); }
  /// The bracket behind a name that is declared as dim3 or with a list: `dim3 block(16, 16)`.
  [[nodiscard]] std::optional<size_t> shape(std::string_view name) const;

 private:
  void seekLaunch(const CudaTokens& tokens, size_t at);
  void seekAllocation(const CudaTokens& tokens, size_t at);
  void seekZeroed(const CudaTokens& tokens, size_t at);
  void seekShape(const CudaTokens& tokens, size_t at);

  std::map<std::string_view, Launch> launches_;
  std::map<std::string_view, size_t> allocations_, shapes_;
  std::set<std::string_view> zeroed_;
};

}  // namespace tilestep::compile
