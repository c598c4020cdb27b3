// SPDX-License-Identifier: Apache-2.0
// The drawn plot of the roofline: the positions of the roofs' names, and the table.
#include "features/roofline/panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "features/roofline/panel_plot.h"
#include "features/roofline/roofline_view.h"
#include "support/known_fonts.h"
#include "support/results.h"
#include "unit/features/roofline/h200.h"
#include "unit/ui/null_window.h"

namespace tilestep::features::roofline_panel_test {

using metrics::Level;

const std::array<ImVec2, 4> kSizes{{{1024, 640}, {1024, 768}, {1366, 768}, {1920, 1080}}};

/// A product of 1024 × 1024 matrices. Times are in ms; `l2` and `dram` are bytes, or 0 if not
/// counted.
lab::RunResult product(const std::string& kernel, double asked, double l2, double dram,
                       double warmMs, double coldMs) {
  lab::RunResult result;
  result.kernel = kernel;
  result.device.name = "NVIDIA H200";
  result.device.recordedOn = "2026-11-21";
  result.plan.sizes = {{"m", 1024}, {"n", 1024}, {"k", 1024}};
  result.plan.operations = 2.0 * (1ULL << 30);
  result.counters.emplace();
  result.counters->total.globalLoad.bytes = static_cast<uint64_t>(asked);
  result.counters->total.globalLoad.sectors = static_cast<uint64_t>(asked / 64);
  result.measurement = device::Measurement{true, warmMs, warmMs, warmMs, warmMs, 20, {}};
  if (coldMs > 0) result.measurement->coldMedianMs = coldMs;
  if (l2 <= 0) return result;
  result.hardware.emplace();
  result.hardware->caches = device::CacheState::cold;
  result.hardware->figures = {{"l2_read_sectors", "a", Unit::count, l2 / 32},
                              {"l2_write_sectors", "b", Unit::count, 0},
                              {"dram_bytes_read", "c", Unit::bytes, dram},
                              {"dram_bytes_written", "d", Unit::bytes, 0},
                              {"shared_load_wavefronts", "e", Unit::count, 5e7},
                              {"shared_store_wavefronts", "f", Unit::count, 4e6}};
  return result;
}

struct Case {
  const char* what;
  lab::RunResult main;
  std::optional<lab::RunResult> companion;
};

std::vector<Case> cases() {
  const lab::RunResult naive = product("matmul_naive", 8.6e9, 0, 0, 0.422, 0);
  const lab::RunResult tiled = product("matmul_tiled", 5.4e8, 4.5e8, 8.4e6, 0.2775, 0.285);
  return {{"naive", naive, {}},
          {"tiled beside naive", tiled, naive},
          {"bound by DRAM", product("matmul_stream", 2.6e10, 2.6e10, 2.6e10, 6.2, 6.4), {}},
          {"bound by FP32", product("matmul_register", 9e7, 6e7, 8.4e6, 0.05, 0.056), naive}};
}

/// A drawn text, level or rotated, given by the middle of its box.
struct Text {
  std::string text;
  ImVec2 middle, along;  ///< `along` leads from the middle to the end of the text.
  float height = 0;

  /// Points on the text, a few pixels apart.
  [[nodiscard]] std::vector<ImVec2> points() const {
    std::vector<ImVec2> all;
    const float half = std::hypot(along.x, along.y);
    for (float at = -1; at <= 1; at += 2 / std::max(half, 1.0F))
      all.push_back({middle.x + at * along.x, middle.y + at * along.y});
    return all;
  }
};

Text textOf(const gfx::TextShape& piece) {
  const gfx::Box& box = piece.box;
  const gfx::Point middle =
      gfx::turned({box.width / 2, box.y + box.height / 2 - piece.baseline}, piece.angle);
  const gfx::Point along = gfx::turned({box.width / 2, 0}, piece.angle);
  return {
      piece.text, {box.x + middle.x, piece.baseline + middle.y}, {along.x, along.y}, box.height};
}

float distance(ImVec2 from, const std::vector<ImVec2>& line) {
  float least = std::numeric_limits<float>::infinity();
  for (const ImVec2& at : line) least = std::min(least, std::hypot(from.x - at.x, from.y - at.y));
  return least;
}

/// The distance between the middle line of a text and a line, given by points.
float distance(const Text& text, const std::vector<ImVec2>& line) {
  float least = std::numeric_limits<float>::infinity();
  for (const ImVec2& at : text.points()) least = std::min(least, distance(at, line));
  return least;
}

class RooflinePanel : public NullWindow {
 protected:
  void SetUp() override {
    ui.stage = Stage::roofline;
    ui.density = model::Density::full;
  }

  /// The stage's box in a window of this size.
  gfx::Box stageAt(ImVec2 size) {
    const TypeSize type = typeFor(ui, size.x, size.y, 1);
    fonts = support::addKnownFonts(type.scale, type.leastPixels);
    NullWindow::draw(size.x, size.y);
    return ui.boxOf("roofline");
  }

  void show(const Case& of) {
    RooflineInputs in;
    const device::Ceilings ceilings = h200();
    in.ceilings = &ceilings;
    in.main = &of.main;
    in.companion = of.companion ? &*of.companion : nullptr;
    auto view = std::make_shared<RooflineView>(rooflineOf(in));
    shown.views.put(RooflineView::kFeature, view);
    shown.figuresMain = std::make_shared<lab::RunResult>(of.main);
    shown.figuresCompanion =
        of.companion ? std::make_shared<lab::RunResult>(*of.companion) : nullptr;
    shown.device = "recorded:nvidia-h200";
    shown.measures = true;
  }

  /// Draws one frame of a window that fills `box`. Returns the drawn texts.
  template <class Draw>
  std::vector<Text> frame(const gfx::Box& box, Draw draw) {
    const gfx::Palette palette = paletteOf(ui.theme);
    const Context context{shown, *session, ui, palette, fonts, fonts.textPixels, now};
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::Begin("test", nullptr, ImGuiWindowFlags_NoDecoration);
    draw(context);
    ImGui::End();
    ImGui::Render();
    std::vector<Text> texts;
    for (const gfx::TextShape& piece : drawnTexts()) texts.push_back(textOf(piece));
    return texts;
  }

  model::Snapshot shown;
};

/// The visible points of each roof's line, by the first word of the roof's name. Excludes the level
/// part, which belongs to FP32.
std::map<std::string, std::vector<ImVec2>> linesOf(const Plot& plot, const RooflineView& view) {
  std::map<std::string, std::vector<ImVec2>> lines;
  const double peak = *view.peakFlopPerSecond;
  constexpr int kSteps = 4000;
  const auto add = [&](const std::string& name, double x, double y) {
    const ImVec2 at = plot.pixel(x, y);
    if (at.y <= plot.max().y && at.y >= plot.min().y) lines[name].push_back(at);
  };
  for (int i = 0; i <= kSteps; ++i) {
    const double x = valueOn(plot.x(), i / double{kSteps});
    double ridge = plot.x().high;
    for (const Roof& roof : view.roofs) {
      ridge = std::min(ridge, roof.ridge);
      if (x <= roof.ridge)
        add(roof.name.substr(0, roof.name.find(' ')), x, x * roof.bytesPerSecond);
    }
    if (x >= ridge) add("FP32", x, peak);
  }
  return lines;
}

/// "L1", or "L1 28.9 TB/s".
bool namesRoof(const Text& text, const std::string& roof) {
  return text.text == roof ||
         (text.text.starts_with(roof + " ") && (text.text.ends_with("B/s") || roof == "FP32") &&
          text.text.ends_with("/s"));
}

/// Checks that every roof's name is along its own line and touches no other text.
void expectNamesAlongLines(const std::vector<Text>& texts,
                           const std::map<std::string, std::vector<ImVec2>>& lines,
                           const std::string& where) {
  for (const auto& [name, line] : lines) {
    const auto isName = [&, roof = name](const Text& text) { return namesRoof(text, roof); };
    for (auto at = texts.begin(); (at = std::find_if(at, texts.end(), isName)) != texts.end();
         ++at) {
      for (const ImVec2& point : at->points()) {
        const float own = distance(point, line);
        EXPECT_LT(own, at->height) << at->text << where;
        for (const auto& [other, others] : lines) {
          if (other == name) continue;
          EXPECT_LT(own, distance(point, others)) << at->text << other << where;
        }
      }
      for (const Text& text : texts) {
        if (&text == &*at) continue;
        EXPECT_GT(distance(text, at->points()), 0.5F * at->height)
            << at->text << " and " << text.text << where;
      }
    }
  }
}

TEST_F(RooflinePanel, RoofsNameFollowsItsOwnLine) {
  for (const ImVec2 size : kSizes) {
    const gfx::Box stage = stageAt(size);
    ASSERT_GT(stage.width, 300);
    for (const Case& one : cases()) {
      show(one);
      for (const bool levels : {false, true}) {
        ui.roofLevels = ui.roofOthers = levels;
        const std::string where =
            std::string(", ") + one.what + ", " + std::to_string(static_cast<int>(size.x)) + " × " +
            std::to_string(static_cast<int>(size.y)) + (levels ? ", all levels" : ", one level");
        const ImVec2 min{stage.x + 8, stage.y + 8},
            max{stage.x + stage.width - 8, stage.y + 0.8F * stage.height - 8};
        std::map<std::string, std::vector<ImVec2>> lines;
        const auto texts = frame(stage, [&](const Context& context) {
          compat::pushFont(fonts.small, fonts.smallPixels);
          drawRooflinePlot(context, min, max, true);
          const auto& view = shown.view<RooflineView>();
          const RoofAxes axes = roofAxesOf(view, focusOf(context), ui.roofLevels);
          const Plot again(*ImGui::GetWindowDrawList(), min, max, axes.x, axes.y,
                           plotStyleOf(context.palette));
          lines = linesOf(again, view);
          ImGui::PopFont();
        });
        ASSERT_EQ(lines.size(), 5U) << where;
        const RooflineView& view = shown.view<RooflineView>();
        const std::string focus = view.roofOf(*view.nearest)->name;
        if (!levels)
          std::erase_if(lines, [&](const auto& line) {
            return line.first != "FP32" && !focus.starts_with(line.first + " ");
          });
        expectNamesAlongLines(texts, lines, where);
        for (const auto& [name, line] : lines) {
          const bool isNamed = std::ranges::any_of(
              texts, [&, roof = name](const Text& text) { return namesRoof(text, roof); });
          EXPECT_TRUE(isNamed) << name << where;
        }
      }
    }
  }
}

TEST_F(RooflinePanel, ShowsOneKernelAndOneLevelFirst) {
  const gfx::Box stage = stageAt({1366, 768});
  show(cases()[1]);
  const auto textsNow = [&] {
    std::string all;
    for (const Text& text : frame(stage, [&](const Context& context) {
           drawRoofline(context, ImGui::GetContentRegionAvail().y);
         }))
      all += text.text + "\n";
    return all;
  };
  std::string texts = textsNow();
  EXPECT_TRUE(has(texts, "tiled, shared memory\n7.74 TFLOP/s\n", "of the roof"));
  EXPECT_FALSE(has(texts, "naive"));
  EXPECT_FALSE(has(texts, "L2 7.68 TB/s"));
  ui.roofLevels = true;
  texts = textsNow();
  EXPECT_TRUE(has(texts, "L2 7.68 TB/s"));
  EXPECT_FALSE(has(texts, "naive"));
  ui.roofOthers = true;
  EXPECT_TRUE(has(textsNow(), "naive"));
}

TEST_F(RooflinePanel, TableStatesTheCachesOfEachSpeed) {
  const gfx::Box stage = stageAt({1920, 1080});
  show(cases()[1]);
  ui.roofLevels = true;
  const auto texts = frame(stage, [&](const Context& context) {
    drawRoofline(context, ImGui::GetContentRegionAvail().y);
  });
  const auto count = [&](const std::string& what) {
    return std::ranges::count(texts, what, &Text::text);
  };
  // 2^31 FLOP in 0.2775 ms and in 0.285 ms. L2 and DRAM were counted with cold caches.
  EXPECT_EQ(count("7.74 TFLOP/s, warm"), 3);
  EXPECT_EQ(count("7.54 TFLOP/s, cold"), 2);
}

}  // namespace tilestep::features::roofline_panel_test
