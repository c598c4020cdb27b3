// SPDX-License-Identifier: Apache-2.0
// Every text of every view is readable, at the desk and in a presentation, on an old projector and
// on a 4K display: it is large enough, not clipped, and does not overlap another text.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/known_fonts.h"
#include "support/source_root.h"
#include "ui/headless_window.h"
#include "ui/shell/appearances.h"
#include "ui/text_faults.h"

namespace tilestep::tests::readable_texts_test {

using Kind = TextFault::Kind;
using model::Stage;

struct Size {
  float width, height;
};
constexpr std::array<Size, 4> kSizes{{{1024, 640}, {1024, 768}, {1920, 1080}, {3840, 2160}}};

/// A view, and how to reach it from the previous view.
struct Shown {
  std::string name;
  std::function<void(HeadlessWindow&)> show;
};

void setWidth(HeadlessWindow& window, int64_t width) {
  window.session().apply(model::command("tuning.set", "TILE_WIDTH", width));
}

void look(HeadlessWindow& window, Stage stage) {
  window.ui().stage = stage;
}

std::vector<Shown> allShown() {
  using Window = HeadlessWindow&;
  std::vector<Shown> all{
      {"opening", [](Window) {}},
      {"second step", [](Window w) { w.key("space"); }},
      {"phase table", [](Window w) { w.session().apply(model::command("phases.table", true)); }},
      {"tiles of 2",
       [](Window w) {
         w.session().apply(model::command("phases.table", false));
         setWidth(w, 2);
       }},
      {"tiles of 16", [](Window w) { setWidth(w, 16); }},
      {"tiles of 32", [](Window w) { setWidth(w, 32); }},
      {"roofline", [](Window w) { look(w, Stage::roofline); }},
      {"live", [](Window w) { look(w, Stage::live); }},
      {"sweep", [](Window w) { look(w, Stage::sweeps); }},
      {"ladder", [](Window w) { w.ui().sweep.kind = model::SweepKind::ladder; }},
      {"timeline",
       [](Window w) {
         setWidth(w, 16);  // Its timeline is recorded.
         look(w, Stage::timeline);
       }},
      {"runs", [](Window w) { look(w, Stage::runs); }},
      {"lanes", [](Window w) { look(w, Stage::lanes); }},
      {"sums", [](Window w) { look(w, Stage::sums); }},
      {"sectors", [](Window w) { look(w, Stage::sectors); }},
      {"exercises", [](Window w) { look(w, Stage::exercises); }},
      {"cube", [](Window w) { look(w, Stage::cube); }},
      {"timing", [](Window w) { look(w, Stage::timing); }},
  };
  // The scenes above are presented next to the first plot.
  for (size_t i = 1; i < model::kPlots; ++i)
    all.push_back({std::string("plot ") + nameOf(static_cast<model::PlotKind>(i)), [i](Window w) {
                     look(w, Stage::scene);
                     w.ui().plot = static_cast<model::PlotKind>(i);
                   }});
  return all;
}

model::SessionOptions options() {
  model::SessionOptions options;
  options.home = support::sourceRoot();
  options.device = "auto";
  options.shippedTuned = options.home + "/assets/tuned";
  return options;
}

/// The minimum size of a text, in pixels.
float leastPixels(const ui::UiState& ui, const Size& size) {
  constexpr float kAtDesk = 12, kShareOfHeight = 1.0F / 36;
  return ui.presenting ? kShareOfHeight * size.height : kAtDesk * ui.shownScale;
}

/// Tests the current view in all themes.
void expectContrast(HeadlessWindow& window, const std::string& view) {
  constexpr float kWidth = 1920, kHeight = 1080;
  const model::Theme before = window.ui().theme;
  window.resize(kWidth, kHeight);
  for (size_t i = 0; i < model::kThemes; ++i) {
    window.ui().theme = static_cast<model::Theme>(i);
    for (int frame = 0; frame < 3; ++frame) window.frame();
    std::string lines;
    for (const TextFault& fault :
         faintTexts(ui::paletteOf(window.ui().theme).background, window.scenes()))
      lines += "\n  " + fault.panel + ": " + fault.what;
    EXPECT_EQ(lines, "") << view << ", " << nameOf(window.ui().theme);
  }
  window.ui().theme = before;
}

TEST(ReadableTexts, AreDistinguishedFromOthers) {
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  const ui::Fonts fonts = support::addKnownFonts(1, ui::kLeastAtDesk);
  const gfx::Palette palette = gfx::darkPalette();
  using Draw = std::function<void(ImDrawList&)>;
  const auto kindsOf = [&](const Draw& draw, float least) {
    std::set<Kind> kinds;
    for (int frame = 0; frame < 2; ++frame) {
      ui::applyStyle(palette, fonts.textPixels);
      ImGui::GetIO().DisplaySize = {800, 600};
      ImGui::GetIO().DeltaTime = 0.01F;
      ImGui::NewFrame();
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({200, 200});
      ImGui::Begin("test", nullptr, ImGuiWindowFlags_NoDecoration);
      draw(*ImGui::GetWindowDrawList());
      ImGui::End();
      ImGui::Render();
    }
    for (const TextFault& fault : textFaults(least)) kinds.insert(fault.kind);
    for (const TextFault& fault : faintTexts(palette.background, {})) kinds.insert(fault.kind);
    return kinds;
  };
  const auto text = [&](ImVec2 at, const char* word) -> Draw {
    return [=](ImDrawList& list) { list.AddText(at, gfx::packed(palette.text), word); };
  };
  const auto both = [&](const Draw& between) -> Draw {
    return [=](ImDrawList& list) {
      text({20, 20}, "first")(list);
      between(list);
      text({23, 22}, "second")(list);
    };
  };
  const auto cover = [](gfx::Color fill) -> Draw {
    return [=](ImDrawList& list) { list.AddRectFilled({9, 9}, {190, 90}, gfx::packed(fill)); };
  };
  EXPECT_EQ(kindsOf(text({20, 20}, "whole"), 16), std::set<Kind>{});
  EXPECT_EQ(kindsOf(text({20, 20}, "low"), 17), std::set{Kind::small});
  EXPECT_EQ(kindsOf(text({172, 20}, "cut off"), 16), std::set{Kind::cut});
  EXPECT_EQ(kindsOf(both([](ImDrawList&) {}), 16), std::set{Kind::overlap});
  EXPECT_EQ(kindsOf(both(cover(palette.surface)), 16), std::set<Kind>{});
  const auto onLight = [&](ImDrawList& list) {
    cover(palette.mutedText)(list);
    text({20, 20}, "faint")(list);
  };
  EXPECT_EQ(kindsOf(onLight, 16), std::set{Kind::faint});
  ImGui::DestroyContext();
}

TEST(ReadableTexts, InEveryViewAtEverySize) {
  constexpr int kFrames = 4;  // ImGui's layout settles within a few frames.
  constexpr size_t kMostPrinted = 6, kFewestTexts = 8;
  HeadlessWindow window(options(), kSizes[0].width, kSizes[0].height);
  for (const Shown& shown : allShown()) {
    shown.show(window);
    ASSERT_TRUE(window.settle([](const std::string&) { return true; })) << shown.name;
    for (const bool presents : {false, true}) {
      if (window.ui().presenting != presents) ui::togglePresentation(window.ui());
      for (const Size& size : kSizes) {
        window.resize(size.width, size.height);
        for (int i = 0; i < kFrames; ++i) window.frame();
        EXPECT_GT(window.texts().size(), kFewestTexts) << shown.name;
        std::map<Kind, std::vector<std::string>> faults;
        for (const TextFault& fault : textFaults(leastPixels(window.ui(), size)))
          faults[fault.kind].push_back(fault.panel + ": " + fault.what);
        for (const auto& [kind, found] : faults) {
          std::string lines;
          for (size_t i = 0; i < std::min(found.size(), kMostPrinted); ++i)
            lines += "\n  " + found[i];
          ADD_FAILURE() << shown.name << (presents ? ", presented" : "") << ", " << size.width
                        << " x " << size.height << ": " << found.size() << " × " << nameOf(kind)
                        << lines;
        }
      }
    }
    if (window.ui().presenting) ui::togglePresentation(window.ui());
    expectContrast(window, shown.name);
  }
}

}  // namespace tilestep::tests::readable_texts_test
