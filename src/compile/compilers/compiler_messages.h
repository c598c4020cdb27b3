// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compiler.h"

/// Messages between this program and the compiling process: lists of texts.
namespace tilestep::compile {

using Texts = std::vector<std::string>;

/// Encodes a list, with its length first.
[[nodiscard]] std::string packed(const Texts& texts);

/// Removes the first list from `bytes`. Nullopt while it is incomplete; `isDamaged` is set if no
/// valid list can follow.
[[nodiscard]] std::optional<Texts> unpacked(std::string& bytes, bool& isDamaged);

[[nodiscard]] Texts textsOf(const CompileRequest& request);
/// Nullopt if it is not a request. Limits are not included.
[[nodiscard]] std::optional<CompileRequest> requestOf(const Texts& texts);

/// The result of a compile: PTX or an Error, and the log.
struct CompileAnswer {
  Result<std::string> ptx = std::string();
  std::string log;
};
[[nodiscard]] Texts textsOf(const CompileAnswer& answer);
[[nodiscard]] std::optional<CompileAnswer> answerOf(const Texts& texts);

}  // namespace tilestep::compile
