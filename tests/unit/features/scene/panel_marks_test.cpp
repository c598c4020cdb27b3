// SPDX-License-Identifier: Apache-2.0
// Marks on elements, and where the arrows of single accesses lead.
#include <gtest/gtest.h>

#include <algorithm>

#include "features/scene/panel_model.h"
#include "unit/model/session_fixture.h"
#include "unit/trace/toy_kernels.h"

namespace tilestep::ui {
namespace panel_marks_test {

using gfx::Place;
using trace::toy::Tiled;

class SceneMarks : public model::SessionFixture {
 protected:
  SceneMarks() {
    open();
    settle();
  }
  void build() {
    ASSERT_TRUE(kept->main && kept->companion);
    tiled = builder.build(1, kept->main, kept->companion.get(), {});
    naive = builder.build(0, kept->companion, kept->main.get(), {});
  }
  /// Goes to the first single access by this instruction of the tiled product.
  void goTo(Tiled instruction) {
    session->apply(model::command("steps.grain", trace::StepGranularity::event));
    session->apply(model::command("steps.go", size_t{0}));
    next();
    const trace::Recording& recording = kept->main->side->replay->recording();
    size_t at = 0;
    while (recording.event(at).instruction != instruction) ++at;
    session->apply(model::command("steps.go", at));
    next();
    ASSERT_EQ(kept->main->index, at);
    build();
  }
  /// How often each element of a matrix is loaded, where the picture says so.
  static std::vector<uint32_t> loadsOf(const gfx::SceneModel& scene, const std::string& name) {
    std::vector<uint32_t> loads;
    for (const gfx::MatrixPanel& panel : scene.panels)
      if (panel.name == name)
        for (const gfx::CellMark& cell : panel.cells) loads.push_back(cell.loads);
    return loads;
  }
  /// Whether there are links and all of them lead from `from` to `to`.
  static bool leads(const gfx::SceneModel& scene, Place::In from, Place::In to) {
    return !scene.links.empty() && std::ranges::all_of(scene.links, [&](const gfx::Link& link) {
      return link.from.in == from && link.to.in == to;
    });
  }

  SceneBuilder builder;
  std::shared_ptr<const gfx::SceneModel> naive, tiled;
};

TEST_F(SceneMarks, BothKernelsSayHowOftenAnElementIsLoaded) {
  build();
  for (const char* matrix : {"M", "N"}) {
    EXPECT_EQ(loadsOf(*naive, matrix), std::vector<uint32_t>(16, 4)) << matrix;
    EXPECT_EQ(loadsOf(*tiled, matrix), std::vector<uint32_t>(16, 1)) << matrix;
  }
}

TEST_F(SceneMarks, AKernelAloneDoesNotSayOfElementsThatTheyAreLoadedOnce) {
  tiled = builder.build(1, kept->main, nullptr, {});
  EXPECT_TRUE(loadsOf(*tiled, "M").empty());
}

TEST_F(SceneMarks, AStoreIsNotCountedAsALoad) {
  session->apply(model::command("steps.move", model::Move::last));
  next();
  build();
  for (const uint32_t loads : loadsOf(*tiled, "P")) EXPECT_EQ(loads, 0U);
}

TEST_F(SceneMarks, TheArrowOfASingleAccessLeadsWhereTheAccessGoes) {
  goTo(Tiled::tLoadM);
  EXPECT_TRUE(leads(*tiled, Place::In::panel, Place::In::array)) << "to Mds, not to Pvalue";
  goTo(Tiled::tStoreM);
  EXPECT_TRUE(tiled->links.empty()) << "it loads nothing; its slots are lit";
  EXPECT_TRUE(tiled->arrays.front().slots.front().fresh);
  goTo(Tiled::tReadM);
  EXPECT_TRUE(leads(*tiled, Place::In::array, Place::In::threads));
  goTo(Tiled::tWrite);
  EXPECT_TRUE(leads(*tiled, Place::In::threads, Place::In::panel));
}

}  // namespace panel_marks_test
}  // namespace tilestep::ui
