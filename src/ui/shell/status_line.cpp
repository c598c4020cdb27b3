// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"
#include "ui/shell/cover.h"

namespace tilestep::ui {
namespace {

using model::Notice;

bool isListed(const Context& context, const Notice& notice) {
  return notice.about != "choice" && !isHeldBack(context, notice);
}

/// The newest notice to show; null if none. Informational notices expire.
const Notice* toastOf(const Context& context) {
  constexpr double kSeconds = 12;
  const auto& notices = context.snapshot.notices;
  const auto at = std::find_if(notices.rbegin(), notices.rend(),
                               [&](const Notice& one) { return isListed(context, one); });
  if (at == notices.rend()) return nullptr;
  Toast& toast = context.ui.toast;
  if (toast.notice != *at) toast = {*at, context.now + kSeconds};
  return at->kind != Notice::Kind::info || context.now < toast.until ? &*at : nullptr;
}

size_t countOf(const Context& context) {
  return static_cast<size_t>(std::ranges::count_if(
      context.snapshot.notices, [&](const Notice& one) { return isListed(context, one); }));
}

bool line(const Context& context, const std::string& text, bool bad) {
  ImGui::PushStyleColor(ImGuiCol_Text,
                        vector(bad ? context.palette.warning : context.palette.text));
  ImGui::TextUnformatted(cutTo(text, ImGui::GetContentRegionAvail().x).c_str());
  ImGui::PopStyleColor();
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return ImGui::IsItemClicked();
}

}  // namespace

void drawStatus(const Context& context) {
  const Notice* newest = toastOf(context);
  const size_t count = countOf(context);
  bool opens = false;
  if (count > 0) {
    opens =
        ImGui::SmallButton(count == 1 ? "1 notice" : (std::to_string(count) + " notices").c_str());
    ImGui::SameLine();
  }
  const model::Busy& busy = context.snapshot.busy;
  if (newest != nullptr) {
    const bool open = line(context, newest->text, newest->kind != Notice::Kind::info);
    tooltip(context, newest->text);
    opens = opens || open;
  } else if (busy.any()) {
    muted(context, busy.stage.empty() ? "working…" : busy.stage);
  } else if (context.ui.codeClicked) {
    constexpr const char* kReadOnly =
        "This code can only be read: letters do nothing here · Esc: the window's keys";
    muted(context, cutTo(kReadOnly, ImGui::GetContentRegionAvail().x));
  } else {
    muted(context,
          cutTo(context.snapshot.shown.firstMinute
                    ? "Space: go on · Left: back · Esc: leave"
                    : "Space: next step · P: play · Ctrl+K: find anything · F7: legend · F1: keys",
                ImGui::GetContentRegionAvail().x));
  }
  if (opens) ImGui::OpenPopup("notices");
  const float em = context.em;
  ImGui::SetNextWindowSizeConstraints({30 * em, 0}, {44 * em, 30 * em});
  if (!ImGui::BeginPopup("notices")) return;
  drawNotices(context);
  ImGui::EndPopup();
}

}  // namespace tilestep::ui
