// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/tunable_slider.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "compile/front_matter/tunable_values.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

using Set = std::function<void(int64_t)>;

/// The row of each named value's button in the available width, from 0.
std::vector<size_t> rowsOfNames(const Context& context, const compile::TunableSpec& tunable) {
  const float room = ImGui::GetContentRegionAvail().x, gap = 0.15F * context.em;
  std::vector<size_t> rows;
  float end = 0;
  for (const std::string& name : tunable.names) {
    const float width = ImGui::CalcTextSize(name.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    const bool fits = rows.empty() || end + gap + width <= room;
    end = rows.empty() || !fits ? width : end + gap + width;
    rows.push_back(rows.empty() ? 0 : rows.back() + (fits ? 0 : 1));
  }
  return rows;
}

/// One button per value, for tunables whose few values have names.
void drawNamedValues(const Context& context, const compile::TunableSpec& tunable, int64_t value,
                     const Set& set) {
  ImGui::TextUnformatted(tunable.name.c_str());
  const std::vector<size_t> rows = rowsOfNames(context, tunable);
  for (size_t i = 0; i < tunable.names.size(); ++i) {
    const std::string& name = tunable.names[i];
    if (i > 0 && rows[i] == rows[i - 1]) ImGui::SameLine(0, 0.15F * context.em);
    if (toggle(context, (name + "##" + tunable.name).c_str(), tunable.values[i] == value)) {
      set(tunable.values[i]);
      context.session.endGesture();
    }
    tooltip(context, tunable.name + " = " + std::to_string(tunable.values[i]));
  }
  if (!tunable.title.empty() && !context.ui.presenting) hint(context, tunable.title);
}

/// A slider's track from its least to its greatest value. If there are few values, they are equally
/// spaced.
struct Track {
  const compile::TunableSpec& tunable;
  std::vector<int64_t> places;  ///< Empty for a long range.
  int64_t low = 0, high = 0;
  bool logarithmic = false;

  /// The value's position on the track, from 0 to 1.
  [[nodiscard]] float share(int64_t value) const {
    if (!places.empty()) {
      if (places.size() < 2) return 0.5F;
      return static_cast<float>(placeOf(value)) / static_cast<float>(places.size() - 1);
    }
    const auto of = [&](int64_t v) {
      const double above = static_cast<double>(v - low);
      if (!logarithmic) return above;
      return low > 0 ? std::log2(static_cast<double>(v) / static_cast<double>(low))
                     : std::log2(above + 1);
    };
    return static_cast<float>(of(value) / std::max(of(high), 1e-9));
  }
  [[nodiscard]] int placeOf(int64_t value) const {
    const auto at =
        std::ranges::min_element(places, {}, [&](int64_t one) { return std::abs(one - value); });
    return static_cast<int>(at - places.begin());
  }
};

Track trackOf(const compile::TunableSpec& tunable) {
  constexpr int64_t kFew = 64, kLong = 256;
  Track track{tunable, tunable.values, tunable.minimum, tunable.maximum};
  if (!tunable.values.empty()) {
    track.low = tunable.values.front();
    track.high = tunable.values.back();
    return track;
  }
  if (compile::valueCount(tunable) <= kFew) track.places = compile::allValues(tunable);
  track.logarithmic = track.high > kLong;
  return track;
}

/// The centre of the grab at a fraction of the track.
float middleOf(const ImVec2& least, const ImVec2& most, float grab, float share) {
  constexpr float kPadding = 2;
  return least.x + kPadding + grab / 2 + share * (most.x - least.x - 2 * kPadding - grab);
}

/// Dims and hatches values that are illegal with the other choices.
void markIllegal(const Context& context, const Track& track, const model::TunableLegality& legality,
                 float grab) {
  const ImVec2 least = ImGui::GetItemRectMin(), most = ImGui::GetItemRectMax();
  const auto edge = [&](size_t i) {  // Between value i - 1 and value i.
    if (i == 0) return least.x;
    if (i == legality.values.size()) return most.x;
    const float share =
        (track.share(legality.values[i - 1].value) + track.share(legality.values[i].value)) / 2;
    return middleOf(least, most, grab, share);
  };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 line = colour(context.palette.mutedText);
  constexpr ImU32 kHalf = IM_COL32(0, 0, 0, 128);
  const ImU32 dim = (colour(context.palette.background) & ~IM_COL32_A_MASK) | kHalf;
  const float gap = std::max(4.0F, 0.35F * context.em), height = most.y - least.y;
  for (size_t first = 0; first < legality.values.size(); ++first) {
    if (legality.values[first].why.empty()) continue;
    size_t behind = first + 1;
    while (behind < legality.values.size() && !legality.values[behind].why.empty()) ++behind;
    const ImVec2 from{edge(first), least.y}, to{edge(behind), most.y};
    list.PushClipRect(from, to, true);
    list.AddRectFilled(from, to, dim);
    for (float x = from.x - height; x < to.x; x += gap)
      list.AddLine({x, most.y}, {x + height, least.y}, line, std::max(1.0F, 0.06F * context.em));
    list.PopClipRect();
    first = behind;
  }
}

const model::ValueLegality& hovered(const Track& track, const model::TunableLegality& legality,
                                    float grab) {
  const ImVec2 least = ImGui::GetItemRectMin(), most = ImGui::GetItemRectMax();
  const float x = ImGui::GetIO().MousePos.x;
  return *std::ranges::min_element(legality.values, {}, [&](const model::ValueLegality& one) {
    return std::abs(middleOf(least, most, grab, track.share(one.value)) - x);
  });
}

std::string hoverText(const Track& track, const model::TunableLegality* legality, float grab,
                      const HatchedWords& words) {
  const compile::TunableSpec& tunable = track.tunable;
  std::string text;
  if (legality != nullptr && ImGui::IsItemHovered()) {
    const model::ValueLegality& there = hovered(track, *legality, grab);
    if (!there.why.empty())
      return tunable.name + " " + std::to_string(there.value) + " " + words.because + ": " +
             there.why + "\n" + words.advice;
  }
  return (tunable.title.empty() ? tunable.name : tunable.title) + "\n" + std::to_string(track.low) +
         " to " + std::to_string(track.high) + ". Dragging skips hatched values, because " +
         words.all + ". Shift+drag includes them.";
}

/// Draws the slider; returns the requested value if it was moved.
std::optional<int64_t> slide(const Track& track, int64_t value) {
  const std::string id = "##" + track.tunable.name;
  const ImGuiSliderFlags flags = ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput;
  if (!track.places.empty()) {
    int place = track.placeOf(value);
    const int last = static_cast<int>(track.places.size()) - 1;
    if (!ImGui::SliderInt(id.c_str(), &place, 0, last, "", flags)) return std::nullopt;
    return track.places[static_cast<size_t>(place)];
  }
  const ImGuiSliderFlags scale = track.logarithmic ? ImGuiSliderFlags_Logarithmic : 0;
  if (!ImGui::SliderScalar(id.c_str(), ImGuiDataType_S64, &value, &track.low, &track.high, "",
                           flags | scale))
    return std::nullopt;
  return compile::nearestValue(track.tunable, value);
}

}  // namespace

void drawTunable(const Context& context, const compile::TunableSpec& tunable,
                 const compile::Bindings& values, const model::TunableLegality* legality,
                 const Set& set, const HatchedWords& words) {
  const auto found = values.find(tunable.name);
  if (found == values.end()) return;
  const int64_t value = found->second;
  if (!tunable.names.empty()) return drawNamedValues(context, tunable, value, set);
  const std::string shown = std::to_string(value);
  ImGui::TextUnformatted(tunable.name.c_str());
  ImGui::SameLine();
  rightNumber(context, shown, colour(context.palette.text));
  ImGui::SetNextItemWidth(-1);
  const Track track = trackOf(tunable);
  if (const std::optional<int64_t> wanted = slide(track, value)) {
    const bool skips = legality != nullptr && !ImGui::GetIO().KeyShift;
    const int64_t to = skips ? model::legalTowards(*legality, value, *wanted) : *wanted;
    if (to != value) set(to);
  }
  if (ImGui::IsItemDeactivated()) context.session.endGesture();
  const float places = static_cast<float>(std::max<size_t>(track.places.size(), 1));
  const float grab = track.places.empty() ? ImGui::GetStyle().GrabMinSize
                                          : std::max(ImGui::GetStyle().GrabMinSize,
                                                     (ImGui::GetItemRectSize().x - 4) / places);
  if (legality != nullptr) markIllegal(context, track, *legality, grab);
  tooltip(context, hoverText(track, legality, grab, words));
  if (!tunable.title.empty() && !context.ui.presenting) hint(context, tunable.title);
}

const compile::TunableSpec* presentedTunable(const model::Snapshot& now) {
  const compile::CatalogueEntry* entry = now.entry();
  if (entry == nullptr || !entry->spec || entry->spec->tunables.empty()) return nullptr;
  const std::vector<compile::TunableSpec>& tunables = entry->spec->tunables;
  // The dot in the plot of speeds must move with the slider. Other plots show the same slider, so
  // that it does not change between plots.
  for (const std::string& name : {now.shown.plottedTunable, now.lastTunable}) {
    const auto found = std::ranges::find(tunables, name, &compile::TunableSpec::name);
    if (found != tunables.end()) return &*found;
  }
  return &tunables.front();
}

float presentedHeight(const Context& context) {
  const compile::TunableSpec* tunable = presentedTunable(context.snapshot);
  if (tunable == nullptr) return 0;
  const size_t rows = tunable->names.empty() ? 1 : rowsOfNames(context, *tunable).back() + 1;
  return ImGui::GetTextLineHeightWithSpacing() +
         static_cast<float>(rows) * ImGui::GetFrameHeightWithSpacing();
}

}  // namespace tilestep::ui
