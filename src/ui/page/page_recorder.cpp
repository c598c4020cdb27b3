// SPDX-License-Identifier: Apache-2.0
#include "ui/page/page_recorder.h"

#include <utility>

#include "base/files.h"
#include "gfx/drawing/compact.h"
#include "gfx/drawing/svg.h"
#include "ui/kit/user_files.h"
#include "ui/page/hidden_number.h"
#include "ui/page/page_step.h"
#include "ui/page/two_tone.h"

namespace tilestep::ui {

Result<std::unique_ptr<StepRecorder>> PageRecorder::make(const FontFiles& fonts,
                                                         std::filesystem::path file,
                                                         const std::filesystem::path& home) {
  const std::filesystem::path folder = home / "assets" / "page";
  Result<std::string> css = readTextFile(folder / "page.css");
  if (!css) return css.error();
  Result<std::string> js = readTextFile(folder / "page.js");
  if (!js) return js.error();
  return std::unique_ptr<StepRecorder>(
      new PageRecorder(fonts, std::move(file), {std::move(*css), std::move(*js)}));
}

model::PagePicture PageRecorder::pictureOf(const PagePanel& panel, const std::string& name,
                                           const std::string& description) {
  const std::string ids = "i" + std::to_string(++pictures_);
  const auto svgOf = [&](const gfx::Drawing& drawing) {
    return gfx::svgElementOf(gfx::compacted(drawing), panel.box, {name, description}, ids);
  };
  return {twoTone(svgOf(panel.light), svgOf(panel.dark), page_.colours)};
}

Status PageRecorder::add(const model::Snapshot& now, model::Session& session, const UiState& ui) {
  if (page_.steps.empty()) {
    std::string note = std::move(page_.note);
    page_ = emptyPageOf(now);
    page_.note = std::move(note);
  }
  model::PageStep step = pageStepOf(now, ui);
  const bool scene = ui.stage == Stage::scene;
  if (scene && now.main && step.instead.rows.empty()) {
    const std::vector<SceneWords> words = sceneWordsOf(now);
    std::vector<PagePanel> panels = painter_.scenes(now, session, ui);
    if (step.question && step.question->choices.empty() && step.question->right)
      for (PagePanel& panel : panels)
        for (gfx::Drawing* drawing : {&panel.light, &panel.dark})
          hideNumber(*drawing, *step.question->right);
    for (size_t i = 0; i < panels.size() && i < words.size(); ++i)
      step.pictures.push_back(pictureOf(panels[i], words[i].name, words[i].description));
  }
  // A plot would give away the answer to a question, so the plot is shown with the answer's
  // details.
  if (!scene)
    (step.question ? step.details : step.pictures)
        .push_back(pictureOf(painter_.stage(now, session, ui), nameOf(ui.stage), step.sentence));
  if (scene && now.main && (ui.warpView || ui.threadView))
    step.details.push_back(pictureOf(painter_.detail(now, session, ui),
                                     ui.threadView ? "The chosen thread" : "A warp's access",
                                     ui.threadView ? "" : step.warp));
  page_.steps.push_back(std::move(step));
  return {};
}

Status PageRecorder::finish() {
  return writeSaved(file_, model::htmlOf(page_, look_));
}

}  // namespace tilestep::ui
