// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saving/save_kinds.h"

#include <algorithm>

namespace tilestep::ui {

const SaveKind& kindOf(SaveAs as) {
  const auto* at = std::ranges::find(kSaveKinds, as, &SaveKind::as);
  return at == kSaveKinds.end() ? kSaveKinds.front() : *at;
}

bool isDrawn(SaveAs as) {
  const SaveGroup group = kindOf(as).group;
  return group == SaveGroup::picture || (group == SaveGroup::steps && as != SaveAs::webPage);
}

bool isEnding(std::string_view extension) {
  return !extension.empty() &&
         std::ranges::find(kSaveKinds, extension, &SaveKind::extension) != kSaveKinds.end();
}

std::optional<SaveAs> kindFor(std::string_view extension, SaveAs wanted) {
  const std::string_view own = kindOf(wanted).extension;
  if (own == extension) return wanted;
  if (isEnding(extension))
    return std::ranges::find(kSaveKinds, extension, &SaveKind::extension)->as;
  return own.empty() ? std::optional(wanted) : std::nullopt;
}

}  // namespace tilestep::ui
