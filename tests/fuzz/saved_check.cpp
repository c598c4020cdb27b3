// SPDX-License-Identifier: Apache-2.0
#include "fuzz/checks.h"
#include "model/files/saved.h"

namespace tilestep::fuzz {

std::string checkSaved(std::string_view text) {
  const auto read = model::parseSaved(text, "state.toml");
  if (!read) return checkRefusal(read.error(), text);
  const auto again = model::parseSaved(toToml(*read), "again.toml");
  if (!again) return "what was written is refused: " + toString(again.error());
  return *again == *read ? "" : "another state comes back";
}

}  // namespace tilestep::fuzz
