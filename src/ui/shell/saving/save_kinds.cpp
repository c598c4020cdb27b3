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

std::optional<SaveAs> kindFor(std::string_view extension, SaveAs wanted) {
  if (kindOf(wanted).extension == extension) return wanted;
  const auto* at = std::ranges::find(kSaveKinds, extension, &SaveKind::extension);
  if (at == kSaveKinds.end() || extension.empty()) return std::nullopt;
  return at->as;
}

}  // namespace tilestep::ui
