// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gfx/renderer.h"
#include "model/export/page.h"
#include "ui/kit/context.h"
#include "ui/kit/legend.h"
#include "ui/kit/step_script.h"

/// Parts of the window that features draw. Each function asks the features
/// (features/panel_registry.cpp), so that its caller need not know which feature draws the part.
namespace tilestep::ui {

/// Each part is drawn by one feature, into the current ImGui window.
enum class Part : uint8_t {
  firstMinute,       ///< The tour, in the lesson's place. This and the next two write
                     ///< UiState::lessonHeight.
  prediction,        ///< The prediction that the open lab requests, in the lesson's place.
  lesson,            ///< The open lesson's step.
  lessonText,        ///< The step's title and texts, for a picture.
  labKernels,        ///< The open lab's kernels, to choose which one is shown.
  labTimes,          ///< The times of the open lab's kernels, if no section shows them.
  predicted,         ///< The prediction beside the answer.
  learn,             ///< The list of lessons, labs and exercises, in a separate window.
  tunables,          ///< The tunables and launch of the main kernel.
  fewTunables,       ///< Only the sliders.
  presentedTunable,  ///< The slider of a presentation (ui/kit/tunable_slider.h).
  comparison,        ///< The controls of the kernel that is compared with the main one.
  whatIf,            ///< The list of known devices, with ImGui's current item width.
  warp,              ///< One warp instruction of the step.
  thread,            ///< The chosen thread.
  ptx,               ///< The main kernel's PTX next to its source.
  source,            ///< The kernel's source.
  runningLines,      ///< The lines of the source that the step executes, for a presentation.
  phaseTable,        ///< Threads by phases, in place of the scene.
  threadMarks,       ///< The chosen thread's events, over the last ImGui item.
};

using PartDrawer = std::function<void(const Context&)>;
using PartDrawers = std::vector<std::pair<Part, PartDrawer>>;
/// Returns the function that draws the part. It may keep data between frames, so each location in
/// the window needs a separate one.
[[nodiscard]] PartDrawer partOf(Part part);
/// For parts that keep nothing between frames.
void drawPart(Part part, const Context& context);

/// The sentence and the scenes below it. Its ImGui window must have no background, because the
/// renderer draws below ImGui.
class ScenePart {
 public:
  virtual ~ScenePart() = default;
  virtual void draw(const Context& context, float framebufferScale, int framebufferHeight) = 0;
  /// True while elements move or details load, so that frames must be drawn without waiting for
  /// events.
  [[nodiscard]] virtual bool moving() const = 0;
  /// The scenes that the last draw() gave to the renderer.
  [[nodiscard]] virtual const std::vector<gfx::SceneCall>& shown() const = 0;
  /// The meaning of the marks in these scenes. `context` must outlive them.
  [[nodiscard]] virtual std::vector<LegendMark> marks(const Context& context) const = 0;
};
/// `renderer` may be null (then only labels are drawn) and must outlive the part.
[[nodiscard]] std::unique_ptr<ScenePart> makeScene(gfx::Renderer* renderer);

/// Plays the open lesson from its first step.
[[nodiscard]] std::unique_ptr<StepScript> makeLessonScript();

/// A self-contained HTML page of what the window shows and the pinned runs
/// (features/pins/report.h). `png`: a picture of the window; `when`: UTC, formatted for display.
[[nodiscard]] std::string reportOf(const model::Snapshot& now, std::vector<std::byte> png,
                                   const std::string& when);

/// Adds what the features know about the current step to a page.
void describeStep(const model::Snapshot& now, const UiState& ui, model::PageStep& step);

}  // namespace tilestep::ui
