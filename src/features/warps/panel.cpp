// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "features/warps/view.h"
#include "features/warps/warp_view.h"
#include "model/choice/planning.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

struct Box {
  ImVec2 min, max;
  [[nodiscard]] ImVec2 top() const { return {(min.x + max.x) / 2, min.y}; }
  [[nodiscard]] ImVec2 bottom() const { return {(min.x + max.x) / 2, max.y}; }
  [[nodiscard]] bool holds(ImVec2 at) const {
    return at.x >= min.x && at.x < max.x && at.y >= min.y && at.y < max.y;
  }
};

/// A unit of memory that lanes access: a sector, or a word in a bank.
struct Target {
  Box box;
  std::vector<uint32_t> lanes;  ///< Indices in WarpView::lanes.
  float filled = 1;             ///< The fraction of its bytes that is used.
  bool late = false;            ///< It waits for another word in the same bank.
  std::string name;
};

class SectorPicture {
 public:
  SectorPicture(const Context& context, const WarpView& view, ImVec2 min, ImVec2 max)
      : context_(context), view_(view), list_(*ImGui::GetWindowDrawList()), min_(min), max_(max) {
    cell_ = (max.x - min.x) / 32;
    small_ = context.fonts.smallPixels;
    layLanes();
    view.space == trace::Space::shared ? layBanks() : laySectors();
  }

  void draw() {
    findHovered();
    drawLinks();
    drawLanes();
    drawTargets();
  }

 private:
  void text(ImVec2 at, const std::string& what, ImU32 color) {
    list_.AddText(context_.fonts.small, small_, at, color, what.c_str());
  }
  [[nodiscard]] ImVec2 sizeOf(const std::string& what) const {
    return context_.fonts.small->CalcTextSizeA(small_, 1e9F, 0, what.c_str());
  }
  void scale(const char* word, float y) {
    const ImU32 color = colour(context_.palette.mutedText);
    text({min_.x, y}, std::string(word) + " 0", color);
    for (const int at : {8, 16, 24, 31}) {
      const std::string number = std::to_string(at);
      const float x = min_.x + (static_cast<float>(at) + 0.5F) * cell_ - sizeOf(number).x / 2;
      text({std::min(x, max_.x - sizeOf(number).x), y}, number, color);
    }
  }

  void layLanes() {
    const float top = min_.y + 1.2F * small_, height = std::min(cell_, 1.2F * context_.em);
    for (int lane = 0; lane < 32; ++lane) {
      const float x = min_.x + static_cast<float>(lane) * cell_;
      lanes_.push_back({{x + 0.5F, top}, {x + cell_ - 0.5F, top + height}});
    }
    below_ = top + height;
  }

  void layBanks() {
    size_t deepest = 1;
    for (const auto& words : view_.shared.banks) deepest = std::max(deepest, words.size());
    const float bottom = max_.y - 1.3F * small_;
    const float room = 0.5F * (bottom - below_);
    const float height = std::min(room / static_cast<float>(deepest), 1.2F * context_.em);
    for (size_t bank = 0; bank < metrics::kBanks; ++bank) {
      const auto& words = view_.shared.banks[bank];
      const float x = min_.x + static_cast<float>(bank) * cell_;
      const Box column{{x + 0.5F, bottom - std::max(height, 0.5F * context_.em)},
                       {x + cell_ - 0.5F, bottom}};
      if (words.empty()) empty_.push_back(column);
      for (size_t i = 0; i < words.size(); ++i) {
        const float y = bottom - static_cast<float>(i + 1) * height;
        const float gap = height > 4 ? 1.0F : 0.0F;
        targets_.push_back({{{x + 0.5F, y + gap}, {x + cell_ - 0.5F, y + height}},
                            words[i].lanes,
                            1,
                            i > 0 && view_.shared.conflicts > 0,
                            "bank " + std::to_string(bank)});
      }
    }
  }

  /// Lays out the accessed 128-byte lines side by side, each with its four sectors.
  void laySectors() {
    std::map<uint64_t, size_t> lines;
    for (const metrics::Sector& sector : view_.global.sectors)
      lines.try_emplace(sector.address / metrics::kLineBytes, 0);
    size_t number = 0;
    for (auto& [line, at] : lines) at = number++;
    const float bottom = max_.y - 1.3F * small_;
    const float pitch = std::min((max_.x - min_.x) / static_cast<float>(lines.size()), 16 * cell_);
    const float gap = std::min(0.15F * pitch, 0.5F * context_.em);
    const float width = (pitch - gap) / 4, height = 1.4F * context_.em;
    const float left = min_.x + ((max_.x - min_.x) - pitch * static_cast<float>(lines.size())) / 2;
    const auto boxOf = [&](size_t line, uint64_t sector) {
      const float x =
          left + pitch * static_cast<float>(line) + gap / 2 + width * static_cast<float>(sector);
      return Box{{x + 0.5F, bottom - height}, {x + width - 0.5F, bottom}};
    };
    for (const auto& [line, at] : lines) {
      for (uint64_t sector = 0; sector < 4; ++sector) empty_.push_back(boxOf(at, sector));
    }
    for (const metrics::Sector& sector : view_.global.sectors) {
      const size_t line = lines[sector.address / metrics::kLineBytes];
      const uint64_t place = sector.address % metrics::kLineBytes / metrics::kSectorBytes;
      const auto used = static_cast<float>(sector.usedBytes) / metrics::kSectorBytes;
      targets_.push_back({boxOf(line, place), sector.lanes, used, false,
                          std::to_string(sector.usedBytes) + " of 32 bytes"});
    }
  }

  void findHovered() {
    if (!ImGui::IsWindowHovered()) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (size_t i = 0; i < view_.lanes.size(); ++i) {
      if (lanes_[view_.lanes[i].lane].holds(mouse)) hoveredLane_ = static_cast<int>(i);
    }
    for (size_t i = 0; i < targets_.size(); ++i) {
      if (targets_[i].box.holds(mouse)) hoveredTarget_ = static_cast<int>(i);
    }
    if (hoveredLane_ >= 0) {
      const LanePlace& lane = view_.lanes[static_cast<size_t>(hoveredLane_)];
      showTooltip(context_, "lane " + std::to_string(lane.lane) + ": " + lane.name);
    } else if (hoveredTarget_ >= 0) {
      showTooltip(context_, describe(targets_[static_cast<size_t>(hoveredTarget_)]));
    }
  }

  [[nodiscard]] std::string describe(const Target& target) const {
    const LanePlace& first = view_.lanes[target.lanes.front()];
    const LanePlace& last = view_.lanes[target.lanes.back()];
    std::string what = target.name + ": " + first.name;
    if (last.name != first.name) what += " … " + last.name;
    const size_t count = target.lanes.size();
    return what + ", for " + std::to_string(count) + (count == 1 ? " lane" : " lanes");
  }

  [[nodiscard]] gfx::Color warpColour() const { return context_.palette.warp(view_.warp); }

  void drawLinks() {
    const bool some = hoveredLane_ >= 0 || hoveredTarget_ >= 0;
    for (size_t t = 0; t < targets_.size(); ++t) {
      for (const uint32_t index : targets_[t].lanes) {
        const bool on =
            hoveredLane_ == static_cast<int>(index) || hoveredTarget_ == static_cast<int>(t);
        const float alpha = !some ? 0.55F : on ? 1.0F : 0.12F;
        const ImVec2 from = lanes_[view_.lanes[index].lane].bottom();
        list_.AddLine(from, targets_[t].box.top(),
                      colour(targets_[t].late ? context_.palette.warning : warpColour(), alpha),
                      on ? 2.0F : 1.0F);
      }
    }
  }

  void drawLanes() {
    scale("lane", min_.y);
    for (const Box& lane : lanes_) list_.AddRect(lane.min, lane.max, colour(context_.palette.line));
    for (const LanePlace& lane : view_.lanes)
      list_.AddRectFilled(lanes_[lane.lane].min, lanes_[lane.lane].max, colour(warpColour()));
  }

  void drawTargets() {
    const gfx::Palette& p = context_.palette;
    for (const Box& box : empty_) list_.AddRect(box.min, box.max, colour(p.line));
    for (const Target& target : targets_) {
      const gfx::Color base = target.late ? p.warning : warpColour();
      list_.AddRectFilled(target.box.min, target.box.max, colour(base, 0.25F));
      const float top = target.box.max.y - target.filled * (target.box.max.y - target.box.min.y);
      list_.AddRectFilled({target.box.min.x, top}, target.box.max, colour(base, 0.85F));
      if (target.late) list_.AddRect(target.box.min, target.box.max, colour(base));
    }
    const float y = max_.y - 1.1F * small_;
    if (view_.space == trace::Space::shared) return scale("bank", y);
    text({min_.x, y}, "sectors of 32 bytes, in lines of 128; the filled part is used",
         colour(p.mutedText));
  }

  const Context& context_;
  const WarpView& view_;
  ImDrawList& list_;
  ImVec2 min_, max_;
  float cell_ = 0, small_ = 0, below_ = 0;
  std::vector<Box> lanes_, empty_;
  std::vector<Target> targets_;
  int hoveredLane_ = -1, hoveredTarget_ = -1;
};

/// Right-aligned on the line of the panel's tabs.
void drawWhich(const Context& context, const WarpView& view) {
  std::string text = "warp " + std::to_string(view.warp);
  if (view.line > 0) text += " · line " + std::to_string(view.line);
  if (view.size > 1)
    text += " · " + std::to_string(view.index + 1) + " of " + std::to_string(view.size);
  ImGui::SameLine();
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  if (room < 0) return ImGui::NewLine();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
  muted(context, text);
}

/// A switch that pads the tiles, for kernels that support it.
void drawPadSwitch(const Context& context) {
  const compile::CatalogueEntry* entry = context.snapshot.entry();
  if (entry == nullptr || !entry->spec || context.ui.companionSource) return;
  const compile::Bindings& tunables = context.snapshot.tunables;
  const auto pad = model::padSwitchOf(*entry->spec, tunables);
  if (!pad || !tunables.contains(pad->tunable)) return;
  sameLineIfRoom("pad the tiles", ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x);
  if (toggle(context, "pad the tiles", tunables.at(pad->tunable) == pad->with))
    context.session.apply(model::command("tuning.pad"));
  tooltip(context, "Makes every row of the tiles one element longer: " + pad->tunable + " = " +
                       std::to_string(pad->with) + " (R)");
}

void drawGroups(const Context& context, const WarpView& view) {
  const float em = context.em;
  const std::string& group = view.groups[view.group];
  if (iconButton(context, "earlier", Icon::back, view.index > 0))
    context.session.apply(model::command("warps.access", group, view.index - 1));
  tooltip(context, "The previous access of this step");
  ImGui::SameLine(0, 0.2F * em);
  if (iconButton(context, "later", Icon::forward, view.index + 1 < view.size))
    context.session.apply(model::command("warps.access", group, view.index + 1));
  tooltip(context, "The next access of this step. Within an epoch, warps run in any order.");
  ImGui::SameLine(0, 0.6F * em);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.15F * em);
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  for (size_t i = 0; i < view.groups.size(); ++i) {
    const float width = ImGui::CalcTextSize(view.groups[i].c_str()).x + 1.2F * em;
    if (i > 0) {
      ImGui::SameLine(0, 0.15F * em);
      if (ImGui::GetCursorScreenPos().x + width > right) {
        ImGui::NewLine();
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() - 0.35F * em);
      }
    }
    if (toggle(context, view.groups[i].c_str(), i == view.group))
      context.session.apply(model::command("warps.access", view.groups[i], 0));
  }
}

/// One warp instruction of the step: its lanes, and the sectors or banks that they access.
void drawWarp(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  const auto& view = context.ui.companionSource && now.companion ? now.view<WarpsView>().companion
                                                                 : now.view<WarpsView>().main;
  if (!view) {
    hint(context, "No warp accesses global or shared memory in this step.");
    return;
  }
  drawWhich(context, *view);
  compat::beginChild("warp", {0, 0}, false, 0);
  if (context.ui.readOnly) {
    muted(context, view->groups[view->group]);
  } else {
    drawGroups(context, *view);
    drawPadSwitch(context);
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float words = wrappedHeight(view->verdict, room.x);
  const float height =
      std::clamp(room.y - words - 0.8F * context.em, 5 * context.em, 11 * context.em);
  SectorPicture(context, *view, at, {at.x + std::max(room.x, 10.0F), at.y + height}).draw();
  ImGui::Dummy({room.x, height + 0.2F * context.em});
  wrapped(view->verdict);
  ImGui::EndChild();
}

}  // namespace
}  // namespace tilestep::features

namespace tilestep::features::warps {
namespace {

using nlohmann::json;

json stateOf(const std::shared_ptr<const WarpView>& view) {
  if (!view) return nullptr;
  json tree = {{"groups", view->groups},      {"group", view->groups[view->group]},
               {"warp", view->warp},          {"line", view->line},
               {"index", view->index},        {"size", view->size},
               {"lanes", view->lanes.size()}, {"sectors", nullptr},
               {"wavefronts", nullptr},       {"verdict", view->verdict}};
  if (view->space == trace::Space::shared)
    tree["wavefronts"] = view->shared.wavefronts;
  else
    tree["sectors"] = view->global.sectors.size();
  return tree;
}

class WarpsPanel : public FeaturePanel {
 public:
  [[nodiscard]] PartDrawers parts() const override { return {{Part::warp, drawWarp}}; }
  void describe(const model::Snapshot& now, const UiState& /*ui*/,
                model::PageStep& step) const override {
    if (const auto& warp = now.view<WarpsView>().main) step.warp = warp->verdict;
  }
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"W", "threads, or one warp against sectors and banks", KeyGroup::scene, true, U"wW",
             [](char32_t, model::Session&, UiState& ui) {
               ui.warpView = ui.threadView || ui.ptxView ? ui.warpView : !ui.warpView;
               ui.threadView = ui.ptxView = false;
             }}};
  }
  void addState(const model::Snapshot& now, const UiState& ui, json& to) const override {
    const auto& view = now.view<WarpsView>();
    to["warp"] = stateOf(ui.companionSource && now.companion ? view.companion : view.main);
    to["warp_view"] = ui.warpView;
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<WarpsPanel>();
}

}  // namespace tilestep::features::warps
