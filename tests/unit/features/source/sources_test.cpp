// SPDX-License-Identifier: Apache-2.0
// Source and PTX: counts, going from a line to its steps, and a source that does not compile.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "features/source/view.h"
#include "model/export/table.h"
#include "model/files/saved.h"
#include "support/results.h"
#include "support/service.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::sources_test {

namespace fs = std::filesystem;

constexpr const char* kPtx =
    ".version 8.0\n"
    ".target sm_75\n"
    ".address_size 64\n"
    ".visible .entry other(.param .u64 a)\n"
    "{\n"
    "\tret;\n"
    "}\n"
    ".visible .entry matmul_tiled(.param .u64 a)\n"
    "{\n"
    "\t.reg .b32 %r<3>;\n"
    "\t.loc 1 80 3\n"
    "\tmov.u32 %r1, %tid.x;\n"
    "\n"
    "$L1:\n"
    "\t.loc 1 93 3\n"
    "\tadd.s32 %r2, %r1, 1;\n"
    "\tret;\n"
    "}\n"
    ".file 1 \"a.cu\"\n";

TEST(PtxView, ShowsTheEntryWithoutDirectives) {
  compile::KernelSpec spec;
  spec.entry = "matmul_tiled";
  const auto view = ptxViewOf(kPtx, spec);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->lines.front().text, ".visible .entry matmul_tiled(.param .u64 a)");
  EXPECT_EQ(view->lines.back().text, "}");
  EXPECT_TRUE(std::ranges::none_of(view->lines, [](const PtxView::Line& line) {
    return line.text.find(".loc") != std::string::npos || line.text.empty();
  }));
  const auto mov = std::ranges::find(view->lines, 0U, &PtxView::Line::instruction);
  ASSERT_NE(mov, view->lines.end());
  EXPECT_EQ(mov->text, "  mov.u32 %r1, %tid.x;");
  EXPECT_EQ(mov->source, 80U);
  EXPECT_EQ(std::ranges::find(view->lines, 1U, &PtxView::Line::instruction)->source, 93U);
  EXPECT_FALSE(ptxViewOf("no PTX at all", spec));
}

class SourcesTest : public SessionFixture {
 protected:
  SourcesTest() {
    open();
    settle();
  }
};

TEST_F(SourcesTest, CountsComeFromTheTrace) {
  ASSERT_TRUE(kept->view<SourceView>().counts);
  // One warp, two phases of four terms: each term reads both tiles and adds to a sum.
  EXPECT_EQ(kept->view<SourceView>().counts->byLine.at(14), 2U * 4 * 3);
  EXPECT_EQ(kept->view<SourceView>().counts->byLine.at(12), 2U);
  EXPECT_EQ(kept->view<SourceView>().counts->byLine.at(17), 1U);
  EXPECT_EQ(kept->view<SourceView>().counts->byInstruction.at(trace::toy::tSum), 8U);
}

TEST_F(SourcesTest, StepsHaveCountsBesideThoseOfAllSteps) {
  const SourceView& load = kept->view<SourceView>();
  ASSERT_TRUE(load.stepCounts);
  // The first epoch loads a tile of each matrix, and ends at a barrier.
  EXPECT_EQ(load.counts->byLine.at(10), 2U * 2);
  EXPECT_EQ(load.stepCounts->byLine.at(10), 2U);
  EXPECT_FALSE(load.stepCounts->byLine.contains(14));
  session->apply(command("steps.move", Move::forward));
  EXPECT_EQ(next().view<SourceView>().stepCounts->byLine.at(14), 4U * 3);
  session->apply(command("steps.grain", trace::StepGranularity::event));
  EXPECT_EQ(next().view<SourceView>().stepCounts->byInstruction.size(), 1U);
}

TEST_F(SourcesTest, LineLeadsToTheStepsThatExecutedIt) {
  EXPECT_TRUE(session->apply(command("source.line", 14, true)));
  EXPECT_EQ(next().position.index, 1U);
  EXPECT_TRUE(session->apply(command("source.line", 14, true)));
  EXPECT_EQ(next().position.index, 3U);
  EXPECT_TRUE(session->apply(command("source.line", 14, true)));  // Wraps around to the first step.
  EXPECT_EQ(next().position.index, 1U);
  EXPECT_TRUE(session->apply(command("source.line", 17, false)));
  EXPECT_EQ(next().position.index, 4U);
  EXPECT_FALSE(session->apply(command("source.line", 999, true)));
  session->apply(command("steps.grain", trace::StepGranularity::event));
  EXPECT_TRUE(session->apply(command("source.instruction", trace::toy::tSum, false)));
  const size_t place = next().main->index;
  EXPECT_EQ(kept->main->side->replay->recording().event(place).instruction, trace::toy::tSum);
}

TEST_F(SourcesTest, PtxIsRequestedOnlyWhenVisible) {
  EXPECT_FALSE(kept->view<SourceView>().ptx);
  session->apply(command("source.ptx", true));
  const uint64_t id = log->next;
  next();
  next();
  EXPECT_EQ(log->next, id + 1);
  log->answers.push_back({id, std::string(kPtx)});
  ASSERT_TRUE(next().view<SourceView>().ptx);
  ASSERT_TRUE(kept->view<SourceView>().stepCounts);
  const auto& runs = kept->view<SourceView>().stepCounts->byInstruction;
  EXPECT_EQ(runs.begin()->first, trace::toy::tLoadM);
  EXPECT_EQ(runs.rbegin()->first, trace::toy::tReady);
  const Table twin = tableOf("ptx", *kept);
  ASSERT_EQ(twin.rows.size(), kept->view<SourceView>().ptx->lines.size());
  EXPECT_TRUE(std::ranges::any_of(twin.rows, [](const auto& row) { return row[1] == "1"; }));
  session->apply(command("source.ptx", false));
  EXPECT_FALSE(next().view<SourceView>().ptx);
}

/// A kernel's file in a separate folder, as the user edits it.
class OwnKernel : public SessionFixture {
 protected:
  [[nodiscard]] static std::string shipped() {
    return readTextFile(support::sourceRoot() + "/kernels/matmul_tiled.cu").value();
  }
  void show(const std::string& text, const std::string& entry = {}) {
    SessionOptions options;
    options.kernel = folder_.write("my.cu", text);
    options.entry = entry;
    open(options);
    settle();
  }

  const support::TemporaryFolder folder_{"own"};
};

TEST_F(OwnKernel, AssumptionAboutAFileIsReportedOnce) {
  std::string text = shipped();
  text.insert(text.find("title ="), "entry = \"another\"\n");
  show(text);
  ASSERT_NE(notice("assumed"), nullptr);
  EXPECT_TRUE(has(notice("assumed")->text, "my.cu Tilestep assumes the entry matmul_tiled (line "));
  EXPECT_EQ(notice("assumed")->kind, Notice::Kind::info);
  EXPECT_EQ(notice("assumed")->lines.size(), 1U);
  session->apply(command("notices.dismiss", "assumed"));
  session->apply(command("tuning.set", "TILE_WIDTH", 8));
  settle();
  EXPECT_EQ(notice("assumed"), nullptr) << "the notice was dismissed";
  session->apply(command("choice.kernel", "matmul_naive"));
  settle();
  EXPECT_EQ(notice("assumed"), nullptr) << "nothing was assumed about this file";
  session->apply(command("choice.kernel", "my"));
  settle();
  EXPECT_NE(notice("assumed"), nullptr);
}

TEST_F(OwnKernel, CopyIsShownAndRun) {
  show("\xef\xbb\xbf" + shipped());
  EXPECT_FALSE(kept->broken);
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(all.front().source.path.ends_with("my.cu"));
}

TEST_F(OwnKernel, FileWithTwoKernelsShowsTheErrorUntilOneIsChosen) {
  const std::string two = shipped() + "__global__ void second(float* P) {}\n";
  show(two);
  ASSERT_TRUE(kept->broken);
  EXPECT_EQ(kept->broken->text, two);
  EXPECT_GT(kept->broken->line, 0U);
  EXPECT_EQ(kept->broken->problem, "cannot be used");
  EXPECT_TRUE(all.empty()) << "nothing runs";
  ASSERT_TRUE(notice("kernel"));
  EXPECT_TRUE(has(notice("kernel")->text, "and second (line "));
  EXPECT_EQ(notice("kernel")->lines, std::vector<uint32_t>{kept->broken->line});

  show(two, "matmul_tiled");
  EXPECT_FALSE(kept->broken);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().source.entry, "matmul_tiled");
  EXPECT_EQ(parseSaved(toToml(session->saved()), "window.toml")->choice.entries,
            (std::map<std::string, std::string>{{"my", "matmul_tiled"}}));
}

TEST_F(OwnKernel, ErrorInASeparateFrontMatterFileIsShownThere) {
  const std::string toml = "title = \"mine\"\nfill = 1\n";
  folder_.write("my.toml", toml);
  show("__global__ void mine(float* P) {}\n");
  ASSERT_TRUE(kept->broken);
  EXPECT_EQ(kept->broken->text, toml);
  EXPECT_EQ(kept->broken->line, 2U);
  EXPECT_TRUE(kept->broken->file.ends_with("my.toml"));
}

}  // namespace tilestep::features::sources_test
