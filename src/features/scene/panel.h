// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "features/names.h"
#include "features/scene/panel_detail_loader.h"
#include "features/scene/panel_marks.h"
#include "features/scene/panel_model.h"
#include "gfx/layers.h"
#include "gfx/renderer.h"
#include "ui/kit/context.h"
#include "ui/kit/parts.h"

namespace tilestep::features {

class ScenePanel : public ScenePart {
 public:
  explicit ScenePanel(gfx::Renderer* renderer) : renderer_(renderer) {}

  void draw(const Context& context, float framebufferScale, int framebufferHeight) override;
  [[nodiscard]] bool moving() const override { return moving_ || loader_.busy(); }
  [[nodiscard]] const std::vector<gfx::SceneCall>& shown() const override { return shown_; }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return sceneMarks(context, shown_);
  }

 private:
  /// The overview and the detail of a matrix that is too large to hold in memory.
  struct Finer {
    std::shared_ptr<const gfx::Picture> overview;
    gfx::Detail detail;
    bool operator==(const Finer&) const = default;
  };
  struct Refined {
    std::shared_ptr<const gfx::Layers> of, layers;
    std::vector<Finer> finer;  ///< By matrix.
  };
  struct Scene {
    std::shared_ptr<const model::TracedStep> step, comparison;
    std::shared_ptr<const ThreadView> thread;
    std::shared_ptr<const RaceView> race;
    bool motion = false;  ///< The layers include moving elements.
    float width = 0, height = 0, em = 0, least = 0;
    gfx::Place hovered;
    gfx::Palette palette;
    bool stale = false, busy = false;
    std::string aside;
    bool spotlight = false;
    bool covered = false;
    std::shared_ptr<const gfx::Layers> layers;
  };
  void drawSentence(const Context& context);
  void drawScene(const Context& context, unsigned slot, const gfx::Box& box,
                 const std::shared_ptr<const model::TracedStep>& step,
                 const std::shared_ptr<const model::TracedStep>& comparison);
  void update(const Context& context, unsigned slot, const gfx::Box& box,
              const std::shared_ptr<const model::TracedStep>& step,
              const std::shared_ptr<const model::TracedStep>& comparison);
  /// The layers of a scene, with large matrices at the level of detail that this view needs.
  std::shared_ptr<const gfx::Layers> refine(const Context& context, unsigned slot,
                                            const gfx::Box& box);
  void showBlock(const Context& context, unsigned slot, const gfx::Box& box);
  void interact(const Context& context, unsigned slot, const gfx::Box& box);
  void advanceMotion(const Context& context);
  void click(const Context& context, unsigned slot, const gfx::Place& place);
  void drawEmpty(const Context& context, const gfx::Box& box);

  gfx::Renderer* renderer_;
  SceneBuilder builder_;
  PartDrawer table_ = partOf(Part::phaseTable);
  std::array<Scene, 2> scenes_;
  std::array<Refined, 2> refined_;
  DetailLoader loader_;
  std::vector<gfx::SceneCall> shown_;
  std::shared_ptr<const model::TracedStep> lastStep_;
  double motionStart_ = -10;
  unsigned travels_ = 0;  ///< The last value of FirstMinuteView::travels.
  float progress_ = 1;
  bool moving_ = false;
  float framebufferScale_ = 1;
  int framebufferHeight_ = 0;
};

}  // namespace tilestep::features
