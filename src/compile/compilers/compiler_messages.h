// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compiler.h"

/// Messages between this program and the compiler process: lists of strings.
namespace tilestep::compile {

using Texts = std::vector<std::string>;

/// Encodes a list, starting with its length.
[[nodiscard]] std::string packed(const Texts& texts);

/// Removes the first list from `bytes`. Nullopt if the list is incomplete or invalid; `isDamaged`
/// is then whether it is invalid.
[[nodiscard]] std::optional<Texts> unpacked(std::string& bytes, bool& isDamaged);

[[nodiscard]] Texts textsOf(const CompileRequest& request);
/// Nullopt if `texts` is not a request. Limits are not transmitted.
[[nodiscard]] std::optional<CompileRequest> requestOf(const Texts& texts);

/// The result of a compile: PTX or an Error, and the log.
struct CompileAnswer {
  Result<std::string> ptx = std::string();
  std::string log;
};
[[nodiscard]] Texts textsOf(const CompileAnswer& answer);
[[nodiscard]] std::optional<CompileAnswer> answerOf(const Texts& texts);

}  // namespace tilestep::compile
