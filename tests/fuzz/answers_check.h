// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tilestep::fuzz {

/// Opens a session whose worker answers with values that `orders` change (answer_changes.h), walks
/// through what it shows, and hands each result that is not refused to what the commands print.
/// Empty when all holds, else what does not: a refusal without a reason, a table whose rows have
/// another length, a document that is none.
std::string checkAnswers(std::span<const std::byte> orders);

}  // namespace tilestep::fuzz
