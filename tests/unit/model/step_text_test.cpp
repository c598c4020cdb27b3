// SPDX-License-Identifier: Apache-2.0
#include "model/text/step_text.h"

#include <gtest/gtest.h>

#include <random>

#include "support/source_root.h"
#include "unit/model/session_fixture.h"

namespace tilestep::model::step_text_test {

std::shared_ptr<const TracedKernel> sideOf(const char* kernel, int64_t size, int64_t tile) {
  compile::CatalogueEntry entry;
  entry.source = compile::findKernel(support::sourceRoot() + "/kernels", kernel).value();
  entry.spec = compile::parseKernel(entry.source).value();
  lab::Experiment experiment;
  experiment.source = entry.source;
  experiment.sizes = {{"m", size}, {"n", size}, {"k", size}};
  for (const compile::TunableSpec& tunable : entry.spec->tunables)
    experiment.tunables[tunable.name] = tile;
  experiment.device = "simt";
  experiment.measure = false;
  experiment.traceBlock = Dim3{0, 0, 0};
  return traceKernel(entry, lab::shared(toyResult(experiment)), 1, tile);
}

ThreadLines linesOf(const std::shared_ptr<const TracedKernel>& side, size_t epoch) {
  return ThreadLines(makeStep(side, trace::StepGranularity::epoch, epoch));
}

TEST(ThreadLines, ContainLoadsReadsAndStoreOfEachThread) {
  const auto side = sideOf("matmul_tiled", 4, 2);
  const ThreadLines load = linesOf(side, 2), compute = linesOf(side, 1), store = linesOf(side, 4);
  ASSERT_EQ(load.size(), 4U);
  EXPECT_EQ(load[3].thread, 3U);
  EXPECT_EQ(load[3].warp, 0U);
  EXPECT_EQ(load[3].name, "(1, 1)");
  EXPECT_EQ(load[3].text, "M[1][3] → Mds[1][1]   N[3][1] → Nds[1][1]");
  ASSERT_EQ(compute.size(), 4U);
  // 1·17 + 2·21
  EXPECT_EQ(compute[0].text, "Mds[0][0…1]   Nds[0…1][0]   sum 59, 2 of 4 terms");
  ASSERT_EQ(store.size(), 4U);
  EXPECT_EQ(store[1].text, "P[0][1] = 260");
}

TEST(ThreadLines, ContainDirectUsesOfGlobalMemory) {
  const auto side = sideOf("matmul_naive", 4, 2);
  // k = 2 and 3.
  const ThreadLines lines = ThreadLines(makeStep(side, trace::StepGranularity::phase, 1));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[2].name, "(0, 1)");
  EXPECT_EQ(lines[2].text, "M[1][2…3]   N[2…3][0]   sum 618, 4 of 4 terms");
}

TEST(CountedElements, DoNotDependOnTheirDistance) {
  std::mt19937 random(1);
  for (const uint64_t spread : {1U, 40U, 1000U, 1000000U}) {
    std::vector<uint64_t> elements;
    std::map<uint64_t, uint32_t> expected;
    for (int i = 0; i < 300; ++i) {
      const uint64_t element = 7 + random() % spread;
      elements.push_back(element);
      ++expected[element];
    }
    const std::vector<TouchedElement> counted = countElements(elements);
    ASSERT_EQ(counted.size(), expected.size()) << spread;
    auto next = expected.begin();
    for (const TouchedElement& one : counted) {
      EXPECT_EQ(one.element, next->first);
      EXPECT_EQ(one.times, next->second);
      ++next;
    }
  }
  EXPECT_TRUE(countElements({}).empty());
}

TEST(TracedStep, AnAccessWithoutALineHasTheLineOfItsLoad) {
  auto side = std::make_shared<TracedKernel>(*sideOf("matmul_tiled", 8, 4));
  const trace::BlockTrace& recording = side->replay->recording();
  trace::BlockTrace other;
  other.blockShape = recording.blockShape;
  for (size_t i = 0; i < recording.size(); ++i) {
    trace::TraceEvent event = recording.event(i);
    if (event.instruction == trace::toy::tStoreM) event.line = 0;
    other.append(event);
  }
  other.finish();
  side->replay = std::make_shared<const trace::Replay>(
      std::make_shared<const trace::BlockTrace>(std::move(other)), trace::Cut{});
  const auto step = makeStep(side, trace::StepGranularity::event, 1);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->step.lines, std::vector<uint32_t>{10});
}

}  // namespace tilestep::model::step_text_test
