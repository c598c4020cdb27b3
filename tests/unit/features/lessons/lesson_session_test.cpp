// SPDX-License-Identifier: Apache-2.0
// How a lesson's figures get into its text while a window is open.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <regex>
#include <thread>

#include "base/files.h"
#include "base/private_folder.h"
#include "features/lessons/lesson_figures.h"
#include "features/lessons/view.h"
#include "features/program/view.h"
#include "lab/recording/recording_file.h"
#include "support/results.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::lesson_session_test {

constexpr const char* kLesson =
    "# A\n"
    "```toml\n"
    "[run.four]\nkernel = \"matmul_tiled\"\nsize = 4\n"
    "[run.h200]\nkernel = \"matmul_tiled\"\ntunables = { TILE_WIDTH = 16 }\nsize = 1024\n"
    "device = \"recorded:nvidia-h200\"\n"
    "[run.absent]\nkernel = \"matmul_tiled\"\nsize = 1000\ndevice = \"recorded:nvidia-h200\"\n"
    "[run.nobody]\nkernel = \"matmul_tilde\"\nsize = 4\n"
    "```\n"
    "## one\n"
    "```toml\nkernel = \"matmul_naive\"\nsize = 12\n"
    "[ask]\nquestion = \"How many loads?\"\nanswer = \"four.counters.total.global_load_threads\"\n"
    "```\n"
    "It asks for {four.counters.total.global_load_threads} loads.\n"
    "---\n"
    "Blocks of {h200.launch.block.0} × {h200.launch.block.1}.\n"
    "## two\n"
    "It took {absent.measurement.median_ms}.\n"
    "## three\n"
    "{nobody.launch.block.0}\n";

class LessonSession : public SessionFixture {
 protected:
  void SetUp() override {
    open();
    settle();
    const std::string file = testing::TempDir() + "/lesson_session_test.md";
    ASSERT_TRUE(writeFileAtomically(file, kLesson));
    all.clear();
    session->apply(command("lessons.open", file));
    ASSERT_TRUE(next().view<LessonsView>().lesson) << notice("lesson")->text;
  }
  const FilledStep& shown() { return *snapshot().view<LessonsView>().lesson->shown; }
  /// Waits until nothing is being read or run.
  void waitForFigures() {
    settle();
    for (int i = 0; i < 5000 && snapshot().busy.questions; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      session->poll(now += 0.001);
    }
    settle();
  }
};

TEST_F(LessonSession, TextsAppearImmediatelyAndFiguresLater) {
  EXPECT_EQ(shown().text, std::vector<std::string>{"It asks for … loads."});
  EXPECT_TRUE(shown().coming);
  session->apply(command("lessons.answer", 1));
  EXPECT_EQ(next().view<LessonsView>().lesson->verdict,
            "The answer is still being computed. Try again in a moment.");
  waitForFigures();
  EXPECT_EQ(shown().text, std::vector<std::string>{"It asks for 1,000 loads."});
  EXPECT_EQ(shown().answer, std::vector<std::string>{"Blocks of 16 × 16."});
  EXPECT_FALSE(shown().coming);
  EXPECT_EQ(shown().missing, "");
  EXPECT_TRUE(std::regex_match(shown().origin,
                               std::regex(R"(counted by the interpreter; recorded on NVIDIA H200)"
                                          R"(( no\. \d+| \(machine unknown\))?, 2026-\d\d-\d\d)")))
      << shown().origin;
  session->apply(command("lessons.answer", 1000));
  EXPECT_EQ(next().view<LessonsView>().lesson->verdict, "Right.");
}

TEST_F(LessonSession, StepsTextsAreFilledOnceUntilMoreIsKnown) {
  const auto before = snapshot().view<LessonsView>().lesson->shown;
  session->apply(command("tuning.set", "TILE_WIDTH",
                         2));  // Published again, but the lesson has not changed.
  EXPECT_EQ(next().view<LessonsView>().lesson->shown, before);
  waitForFigures();
  const auto known = snapshot().view<LessonsView>().lesson->shown;
  EXPECT_NE(known, before);
  session->apply(command("lessons.step", 1));
  EXPECT_NE(next().view<LessonsView>().lesson->shown, known);
}

/// A folder with the shipped recording, without the ceilings of the first machine, which took the
/// tiled product's points.
std::string homeWithoutCeilings() {
  const std::string name = "/assets/recordings/nvidia-h200.tsrec";
  auto recording = lab::readRecording(support::sourceRoot() + name);
  const std::filesystem::path home = testing::TempDir() + "/lesson_session_test_home";
  if (!recording || recording->machines.empty()) return {};
  recording->machines.front().ceilings.reset();
  const auto bytes = lab::encodeRecording(*recording, 1);
  std::filesystem::create_directories(home / "assets" / "recordings");
  return bytes && writeFileAtomically(home.string() + name, *bytes) ? home.string() : "";
}

TEST(LessonCeilings, CeilingsOfAnotherMachineAreNotUsed) {
  const auto lesson = parseLesson(
      "# B\n```toml\n[run.h200]\nkernel = \"matmul_tiled\"\ntunables = { TILE_WIDTH = 16 }\n"
      "size = 1024\ndevice = \"recorded:nvidia-h200\"\n```\n## one\n"
      "{h200.ceilings.fp32_flop_per_second} and {h200.sizes.k}\n",
      "b.md");
  ASSERT_TRUE(lesson);
  const std::string home = homeWithoutCeilings();
  ASSERT_NE(home, "");
  LessonFigures figures;
  figures.open(std::make_shared<const Lesson>(*lesson), home, [](const std::string& name) {
    return compile::findKernel(support::sourceRoot() + "/kernels", name);
  });
  for (int i = 0; i < 10000 && figures.reads(); ++i) {
    figures.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const auto shown = figures.filled(0);
  EXPECT_EQ(shown->text, std::vector<std::string>{"[no figure] and 1,024"});
  EXPECT_TRUE(has(shown->missing,
                  "there is no ceilings.fp32_flop_per_second: the recording has no "
                  "ceilings of NVIDIA H200, which measured the run"));
}

TEST(LessonOfADevice, FiguresBelongToTheShownDevice) {
  const auto lesson = valueOrThrow(parseLesson(
      "# C\n```toml\n[run.gpu]\ndevice = \"shown\"\n```\n## one\n"
      "{gpu.name}: {gpu.registers_per_multiprocessor * 4 / 1024} KiB, {gpu.l2_bytes | B}\n",
      "c.md"));
  LessonFigures figures;
  figures.open(std::make_shared<const Lesson>(lesson), "", [](const std::string&) {
    return Result<compile::KernelSource>(requestError("no kernel is asked for"));
  });
  EXPECT_EQ(figures.wanted(), nullptr) << "a device needs no run";
  EXPECT_TRUE(has(figures.filled(0)->missing, "no device's limits are shown"));
  device::DeviceInfo device;
  device.id = device.name = "A";
  device.registersPerMultiprocessor = 65536;
  device.l2Bytes = 4000000;
  figures.show(device);
  EXPECT_EQ(figures.filled(0)->text, std::vector<std::string>{"A: 256 KiB, 4.00 MB"});
  EXPECT_EQ(figures.filled(0)->origin, "sizes of A");
  device.id = device.name = "B";
  device.l2Bytes = 0;
  figures.show(device);
  EXPECT_EQ(figures.filled(0)->text, std::vector<std::string>{"B: 256 KiB, [no figure]"});
}

TEST_F(LessonSession, WindowsRunsHavePriority) {
  const auto isFour = [](const lab::Experiment& one) {
    return one.device == "simt" && one.sizes.at("m") == 4 && one.counters && !one.traceBlock;
  };
  // The scene's requests are not answered.
  for (int i = 0; i < 5; ++i) session->poll(now += 0.1);
  EXPECT_FALSE(log->runs.empty());
  for (const FakeClient::Asked& asked : log->runs) EXPECT_FALSE(isFour(asked.experiment));
  waitForFigures();
  EXPECT_EQ(std::ranges::count_if(all, isFour), 1) << "requested once";
  session->apply(command("lessons.close"));
  session->apply(command("lessons.open", testing::TempDir() + "/lesson_session_test.md"));
  EXPECT_FALSE(next().view<LessonsView>().lesson->shown->coming) << "completed runs are known";
}

TEST_F(LessonSession, MissingFigureHasAReason) {
  session->apply(command("lessons.step", 1));
  waitForFigures();
  EXPECT_EQ(shown().text, std::vector<std::string>{"It took [no figure]."});
  EXPECT_TRUE(has(shown().missing, "the recording has no point at m 1000"));
  session->apply(command("lessons.step", 2));
  EXPECT_EQ(next().view<LessonsView>().lesson->shown->text,
            std::vector<std::string>{"[no figure]"});
  EXPECT_TRUE(has(shown().missing, "matmul_tilde"));
}

TEST_F(LessonSession, LessonOfTheLastStartHasItsFigures) {
  SessionOptions options;
  options.saved = session->saved();
  open(options);
  waitForFigures();
  ASSERT_TRUE(snapshot().view<LessonsView>().lesson);
  EXPECT_EQ(shown().text, std::vector<std::string>{"It asks for 1,000 loads."});
}

/// A home with a program and lessons that open it.
class ProgramLesson : public SessionFixture {
 protected:
  void SetUp() override {
    write("assets/programs/sum.cu", "int main() {}\n");
    write("mine.cu", "int main() { return 1; }\n");
    write("lesson.md",
          "# A\n## one\n```toml\nstage = \"program\"\nprogram = \"sum\"\n```\nText.\n## two\n");
    write("other.md",
          "# A\n## one\n```toml\nstage = \"program\"\nprogram = \"product\"\n```\nText.\n");
    SessionOptions options;
    options.ownKernels = path("data/kernels");
    options.programFolder = path("state");
    options.home = folder.path().string();
    open(options);
    settle();
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder.path() / name).string();
  }
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(writeFileAtomically(path(name), text));
  }
  const ProgramView& program() { return next().view<ProgramView>(); }
  PrivateFolder folder;
};

TEST_F(ProgramLesson, LessonOpensAndClosesTheUsersCopyOfItsProgram) {
  session->apply(command("lessons.open", path("lesson.md")));
  EXPECT_EQ(program().path, path("data/programs/sum.cu"));
  EXPECT_EQ(*program().text, "int main() {}\n");
  EXPECT_EQ(program().verdict, "Programs cannot be run here.");
  EXPECT_EQ(notice("program"), nullptr);
  session->apply(command("lessons.close"));
  EXPECT_EQ(program().path, "");
}

TEST_F(ProgramLesson, CopyKeepsTheUsersChanges) {
  session->apply(command("lessons.open", path("lesson.md")));
  session->apply(command("program.edit", "int main() { return 2; }\n"));
  session->apply(command("lessons.step", 1));
  EXPECT_EQ(*program().text, "int main() { return 2; }\n") << "the step has the same program";
  session->apply(command("program.save"));
  session->apply(command("lessons.close"));
  session->apply(command("lessons.open", path("lesson.md")));
  EXPECT_EQ(*program().text, "int main() { return 2; }\n");
  ASSERT_NE(notice("program"), nullptr);
  EXPECT_TRUE(has(notice("program")->text, "sum.cu has your changes"));
  EXPECT_TRUE(session->apply(command("program.return_to", "as in the lesson")));
  EXPECT_EQ(*program().text, "int main() {}\n");
  EXPECT_EQ(*readTextFile(path("assets/programs/sum.cu")), "int main() {}\n");
}

TEST_F(ProgramLesson, ClosingTheLessonReopensThePreviousProgram) {
  session->apply(command("program.open", path("mine.cu")));
  ASSERT_EQ(program().path, path("mine.cu"));
  session->apply(command("lessons.open", path("lesson.md")));
  EXPECT_EQ(program().path, path("data/programs/sum.cu"));
  session->apply(command("lessons.close"));
  EXPECT_EQ(program().path, path("mine.cu"));
}

TEST_F(ProgramLesson, MissingProgramIsReported) {
  session->apply(command("lessons.open", path("other.md")));
  ASSERT_TRUE(next().view<LessonsView>().lesson);
  ASSERT_NE(notice("program"), nullptr);
  EXPECT_TRUE(has(notice("program")->text, "product.cu"));
}

TEST_F(LessonSession, FailedRunIsRetriedWhenTheLessonIsReopened) {
  for (int i = 0; i < 20; ++i) {
    session->poll(now += 0.1);
    const bool asked = std::ranges::any_of(log->runs, [](const FakeClient::Asked& one) {
      return one.experiment.sizes.at("m") == 4 && !one.experiment.traceBlock;
    });
    asked ? log->fail("The worker ended: signal 9.") : log->answerRuns();
  }
  waitForFigures();
  EXPECT_EQ(shown().text, std::vector<std::string>{"It asks for [no figure] loads."});
  EXPECT_TRUE(has(shown().missing, "signal 9"));
  session->apply(command("lessons.reveal"));
  EXPECT_TRUE(has(next().view<LessonsView>().lesson->verdict, "cannot be computed: "));
  session->apply(command("lessons.open", testing::TempDir() + "/lesson_session_test.md"));
  waitForFigures();
  EXPECT_EQ(shown().text, std::vector<std::string>{"It asks for 1,000 loads."});
}

TEST_F(LessonSession, AnswerForThePreviousLessonIsIgnored) {
  const auto asks = [&](int64_t size) {
    return std::ranges::any_of(log->runs, [&](const FakeClient::Asked& one) {
      return one.experiment.device == "simt" && one.experiment.sizes.contains("m") &&
             one.experiment.sizes.at("m") == size && one.experiment.counters &&
             !one.experiment.traceBlock;
    });
  };
  for (int i = 0; i < 20 && !asks(4); ++i) {
    log->answerRuns();
    session->poll(now += 0.1);
  }
  ASSERT_TRUE(asks(4));
  const std::string file = testing::TempDir() + "/lesson_session_test_next.md";
  ASSERT_TRUE(writeFileAtomically(
      file,
      "# B\n```toml\n[run.eight]\nkernel = \"matmul_tiled\"\nsize = 8\n```\n## one\n"
      "```toml\nkernel = \"matmul_naive\"\nsize = 12\n```\nSizes of {eight.sizes.m}.\n"));
  log->answerRuns();  // The first lesson's runs, which have not been read.
  session->apply(command("lessons.open", file));
  ASSERT_TRUE(next().view<LessonsView>().lesson) << notice("lesson")->text;
  EXPECT_NE(shown().text, std::vector<std::string>{"Sizes of 4."});
  waitForFigures();
  EXPECT_EQ(shown().text, std::vector<std::string>{"Sizes of 8."});
}

TEST_F(LessonSession, DefaultSizesCountAsWork) {
  const std::string file = testing::TempDir() + "/lesson_session_test_large.md";
  ASSERT_TRUE(writeFileAtomically(
      file,
      "# C\n```toml\n[run.whole]\nkernel = \"matmul_tiled\"\nsizes = { m = 4 }\n```\n## one\n"
      "```toml\nkernel = \"matmul_naive\"\nsize = 12\n```\nSizes of {whole.sizes.m}.\n"));
  all.clear();
  session->apply(command("lessons.open", file));
  ASSERT_TRUE(next().view<LessonsView>().lesson) << notice("lesson")->text;
  waitForFigures();
  EXPECT_EQ(shown().text, std::vector<std::string>{"Sizes of [no figure]."});
  EXPECT_TRUE(has(shown().missing, "too large for the interpreter"));
}

TEST_F(LessonSession, HiddenCodeMustBeInTheUsersKernel) {
  const std::string folder = testing::TempDir() + "/lesson_session_own";
  std::filesystem::create_directories(folder);
  const auto shipped = readTextFile(support::sourceRoot() + "/kernels/matmul_naive.cu", 1 << 20);
  ASSERT_TRUE(shipped);
  std::string own = *shipped;
  for (size_t at = 0; (at = own.find("matmul_naive", at)) != std::string::npos;)
    own.replace(at, 12, "matmul_mine");
  ASSERT_TRUE(writeFileAtomically(folder + "/matmul_mine.cu", own));
  SessionOptions options;
  options.ownKernels = folder;
  open(options);
  settle();
  const auto opens = [&](const std::string& hide) {
    const std::string file = testing::TempDir() + "/lesson_session_hides_own.md";
    EXPECT_TRUE(
        writeFileAtomically(file,
                            "# A\n## one\n```toml\nkernel = \"matmul_mine\"\nsize = 4\n[ask]\n"
                            "question = \"How many?\"\nanswer = 4\nhide = [\"" +
                                hide + "\"]\n```\nThink.\n"));
    session->apply(command("lessons.open", file));
    return next().view<LessonsView>().lesson.has_value();
  };
  EXPECT_FALSE(opens("row < width"));
  ASSERT_TRUE(notice("lesson"));
  EXPECT_TRUE(has(notice("lesson")->text, "matmul_mine does not contain it"));
  EXPECT_TRUE(opens("row < m && col < n"));
}

}  // namespace tilestep::features::lesson_session_test
