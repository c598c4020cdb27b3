// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compiler.h"

/// Messages between this program and the process that compiles for it: lists of texts.
namespace tilestep::compile {

using Texts = std::vector<std::string>;

/// A list, with its length before it.
[[nodiscard]] std::string packed(const Texts& texts);

/// Takes the first list from `bytes`. Nothing while it is not all there; `isDamaged` is set where
/// no such list can follow.
[[nodiscard]] std::optional<Texts> unpacked(std::string& bytes, bool& isDamaged);

[[nodiscard]] Texts textsOf(const CompileRequest& request);
/// Nothing where they are no request. Limits are not part of it.
[[nodiscard]] std::optional<CompileRequest> requestOf(const Texts& texts);

/// How a compile ended: PTX or an Error, and the log.
struct CompileAnswer {
  Result<std::string> ptx = std::string();
  std::string log;
};
[[nodiscard]] Texts textsOf(const CompileAnswer& answer);
[[nodiscard]] std::optional<CompileAnswer> answerOf(const Texts& texts);

}  // namespace tilestep::compile
