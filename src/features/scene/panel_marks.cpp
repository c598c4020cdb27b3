// SPDX-License-Identifier: Apache-2.0
#include "features/scene/panel_marks.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/sentence.h"

namespace tilestep::features {
namespace {

using gfx::SceneModel;

struct Present {
  bool links = false, ribbons = false, samples = false;
  bool now = false, chosen = false, used = false, followed = false;
  bool absent = false, loads = false, wrong = false, sums = false, idle = false;

  std::set<std::string> blanks;  ///< Reasons why elements have no value.

  void take(gfx::Mark mark) {
    now = now || mark == gfx::Mark::now;
    chosen = chosen || mark == gfx::Mark::chosen;
    used = used || mark == gfx::Mark::used;
    followed = followed || mark == gfx::Mark::followed;
    wrong = wrong || mark == gfx::Mark::wrong;
  }

  void take(const gfx::MatrixPanel& panel) {
    for (const gfx::Highlight& highlight : panel.highlights) take(highlight.mark);
    for (const gfx::CellMark& cell : panel.cells) {
      take(cell.mark);
      loads = loads || (cell.loads > 0 && cell.mark == gfx::Mark::now);
    }
    absent = absent || !panel.absent.empty();
    const bool hasBlank =
        panel.picture &&
        std::ranges::any_of(panel.picture->values, [](float value) { return std::isnan(value); });
    if (hasBlank && panel.rows <= 64 && panel.columns <= 64) blanks.insert(panel.blank);
  }

  void take(const SceneModel& model) {
    links = links || !model.links.empty();
    ribbons = ribbons || !model.ribbons.empty();
    samples = samples || model.sample.has_value();
    for (const gfx::MatrixPanel& panel : model.panels) take(panel);
    for (const gfx::SlotArray& array : model.arrays)
      for (const gfx::Slot& slot : array.slots) {
        now = now || slot.fresh;
        followed = followed || slot.followed;
        wrong = wrong || slot.hazard;
      }
    for (const gfx::ThreadGrid& grid : model.threads)
      for (const gfx::Accumulator& sum : grid.threads) {
        now = now || sum.fresh;
        followed = followed || sum.followed;
        sums = sums || (!model.overview && sum.terms < sum.ofTerms);
        idle = idle || sum.idle;
      }
  }
};

void arrow(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 ink, float thickness) {
  const float middle = (min.y + max.y) / 2, head = 0.35F * (max.y - min.y);
  list.AddLine({min.x, middle}, {max.x - head, middle}, ink, thickness);
  list.AddTriangleFilled({max.x - head, middle - 0.7F * head}, {max.x, middle},
                         {max.x - head, middle + 0.7F * head}, ink);
}

void dashes(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 ink) {
  constexpr int kDashes = 4;
  const float step = (max.x - min.x) / kDashes;
  for (int i = 0; i < kDashes; ++i) {
    const float left = min.x + step * static_cast<float>(i);
    for (const float y : {min.y, max.y}) list.AddLine({left, y}, {left + 0.6F * step, y}, ink, 2);
  }
}

void stripes(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 ink) {
  list.AddRect(min, max, ink);
  hatch(list, min, max, ink, 4);
}

void word(ImDrawList& list, ImVec2 min, ImVec2 max, const char* text, ImU32 plate, ImU32 ink) {
  const ImVec2 size = ImGui::CalcTextSize(text);
  const float y = (min.y + max.y - size.y) / 2;
  list.AddRectFilled({min.x, y}, {min.x + size.x + 6, y + size.y}, plate, 3);
  list.AddText({min.x + 3, y}, ink, text);
}

}  // namespace

std::vector<LegendMark> sceneMarks(const Context& context,
                                   const std::vector<gfx::SceneCall>& scenes) {
  Present present;
  for (const gfx::SceneCall& scene : scenes) present.take(*scene.layers->model);
  const gfx::Palette& p = context.palette;
  std::vector<LegendMark> marks;
  const auto add = [&](bool is, std::string text, DrawMark draw) {
    if (is) marks.push_back({std::move(text), std::move(draw)});
  };
  add(present.links,
      "A load from global memory or a read of shared memory, from the element to its reader. "
      "Each warp has its own colour.",
      [&p](ImDrawList& list, ImVec2 min, ImVec2 max) {
        arrow(list, min, max, colour(p.category(0)), 2);
      });
  add(present.ribbons,
      "All loads or reads between two areas, drawn as one arrow. Within a step, a wider arrow "
      "represents more of them.",
      [&p](ImDrawList& list, ImVec2 min, ImVec2 max) {
        arrow(list, min, max, colour(p.category(0), 0.8F), 0.5F * (max.y - min.y));
      });
  add(present.samples, "A few threads, one box per thread, with a dot for each load or read.",
      [&p](ImDrawList& list, ImVec2 min, ImVec2 max) {
        list.AddRect(min, {min.x + max.y - min.y, max.y}, colour(p.strongLine), 2);
        const float dot = 0.2F * (max.y - min.y);
        for (const float x : {1.0F, 2.6F})
          list.AddRectFilled({min.x + x * dot, min.y + dot},
                             {min.x + (x + 1.2F) * dot, min.y + 2.2F * dot}, colour(p.accent));
      });
  add(present.now, "Accessed in this step. In the code, the lines that run now.",
      outlined(p.accent, 2.5F));
  add(present.chosen,
      "The parts of the inputs and the output that belong to the chosen block. Everything else is "
      "dim.",
      outlined(p.chosen, 2.5F));
  add(present.used, "Accessed in an earlier step.", outlined(p.accent, 1));
  add(present.followed, "Belongs to the followed thread. A click on a cell follows its thread.",
      [&p](ImDrawList& list, ImVec2 min, ImVec2 max) { dashes(list, min, max, colour(p.text)); });
  add(present.loads, "How often each of these elements is loaded in this step.",
      [&p](ImDrawList& list, ImVec2 min, ImVec2 max) {
        word(list, min, max, "4×", colour(p.accent), colour(p.accentText));
      });
  add(present.sums, "A thread's sum, which fills from below with each added term.",
      [&p](ImDrawList& list, ImVec2 min, ImVec2 max) {
        list.AddRectFilled({min.x, (min.y + max.y) / 2}, max, colour(gfx::valueColor(0.7F)));
        list.AddRect(min, max, colour(p.strongLine));
      });
  add(present.idle, "A thread that computes no element of the output.",
      [&p](ImDrawList& list, ImVec2 min, ImVec2 max) {
        const float side = max.y - min.y;
        list.AddRect(min, {min.x + side, max.y}, colour(p.line));
        const float from = 0.22F * side, to = 0.78F * side;
        list.AddLine({min.x + from, min.y + from}, {min.x + to, min.y + to}, colour(p.mutedText),
                     1.5F);
        list.AddLine({min.x + from, min.y + to}, {min.x + to, min.y + from}, colour(p.mutedText),
                     1.5F);
      });
  for (const std::string& blank : present.blanks)
    marks.push_back({capitalised(blank) + ".", [&p](ImDrawList& list, ImVec2 min, ImVec2 max) {
                       stripes(list, min, max, colour(p.strongLine));
                     }});
  add(present.absent, "Not computed here: only the chosen block is run.",
      [&p](ImDrawList& list, ImVec2 min, ImVec2 max) {
        stripes(list, min, max, colour(p.mutedText));
      });
  add(present.wrong, "Wrong, or part of a race.", [&p](ImDrawList& list, ImVec2 min, ImVec2 max) {
    word(list, min, max, "!", colour(p.warning), colour(gfx::textOn(p.warning)));
  });
  add(!scenes.empty(), "The values of elements, from low to high.",
      [](ImDrawList& list, ImVec2 min, ImVec2 max) {
        constexpr int kShades = 24;
        const float step = (max.x - min.x) / kShades;
        for (int i = 0; i < kShades; ++i) {
          const float left = min.x + step * static_cast<float>(i);
          list.AddRectFilled({left, min.y}, {left + step + 0.5F, max.y},
                             colour(gfx::valueColor(static_cast<float>(i) / (kShades - 1))));
        }
      });
  return marks;
}

}  // namespace tilestep::features
