// SPDX-License-Identifier: Apache-2.0
// `tilestep play`: the files that it writes for a lesson's steps.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/files.h"
#include "support/results.h"
#include "support/skips.h"
#include "support/tool.h"
#include "support/virtual_display.h"

namespace tilestep::tests::play_test {

namespace fs = std::filesystem;

TEST(Play, SavesAPictureOfEachStepAndRefusesDamagedLessons) {
  const support::VirtualDisplay display(1280, 800);
  if (!display.ok()) GTEST_SKIP() << display.why();
  const support::HomeCopy home;
  home.write(
      "one.md",
      "# One\n## The first step\n```toml\nkernel = \"matmul_tiled\"\n"
      "[ask]\nquestion = \"Why?\"\nanswer = 1\n```\nText.\n## Then\n```toml\nstep = 2\n```\n");
  home.write("damaged.md", "# One\n## The first step\n```toml\nkernal = 1\n```\n");
  const fs::path out = home.folder() / "pictures";
  const auto play = [&](const std::string& name) {
    return support::tilestep(
        {"play", (home.folder() / name).string(), "--out", out.string(), "--device", "simt"},
        display.environment());
  };
  const support::Finished finished = play("one.md");
  EXPECT_EQ(finished.status, 0) << finished.err;
  for (const char* name : {"01-the-first-step.png", "02-then.png"}) {
    EXPECT_GT(fs::file_size(out / name), 10000U) << name;
  }
  const support::Finished pages =
      support::tilestep({"play", (home.folder() / "one.md").string(), "--pdf",
                         (home.folder() / "one.pdf").string(), "--device", "simt"},
                        display.environment());
  EXPECT_EQ(pages.status, 0) << pages.err;
  const Result<std::string> pdf = readTextFile(home.folder() / "one.pdf");
  ASSERT_TRUE(pdf);
  EXPECT_TRUE(pdf->starts_with("%PDF-"));
  const support::Finished refused = play("damaged.md");
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(has(refused.err, "damaged.md:4"));
}

TEST(Play, AMissingKernelOfAStepIsAnError) {
  const support::VirtualDisplay display(1280, 800);
  if (!display.ok()) GTEST_SKIP() << display.why();
  const support::HomeCopy home;
  home.write("other.md",
             "# Other\n## First\n```toml\nkernel = \"matmul_tiled\"\n```\nText.\n"
             "## Then\n```toml\nkernel = \"my_own_scan\"\n```\nText.\n");
  const support::Finished finished =
      support::tilestep({"play", (home.folder() / "other.md").string(), "--out",
                         (home.folder() / "pictures").string(), "--device", "simt"},
                        display.environment());
  EXPECT_EQ(finished.status, 1);
  EXPECT_TRUE(
      has(finished.err, "Step 2 does not show its kernel: there is no kernel 'my_own_scan'"));
}

TEST(Play, AMissingKernelBesideIsAnError) {
  const support::VirtualDisplay display(1280, 800);
  if (!display.ok()) GTEST_SKIP() << display.why();
  const support::HomeCopy home;
  home.write(
      "other.md",
      "# Other\n## First\n```toml\nkernel = \"matmul_tiled\"\nbeside = \"my_own_scan\"\n```\n"
      "Text.\n");
  const support::Finished finished =
      support::tilestep({"play", (home.folder() / "other.md").string(), "--out",
                         (home.folder() / "pictures").string(), "--device", "simt"},
                        display.environment());
  EXPECT_EQ(finished.status, 1);
  EXPECT_TRUE(has(finished.err, "Step 1 shows no companion kernel: "));
}

TEST(Play, ReplacesALinkInItsFolderAndCutsLongNames) {
  const support::VirtualDisplay display(1280, 800);
  if (!display.ok()) GTEST_SKIP() << display.why();
  const support::HomeCopy home;
  const std::string kernel = "```toml\nkernel = \"matmul_tiled\"\n```\n";
  home.write("long.md", "# Long\n## First\n" + kernel + "Text.\n## A" + std::string(400, 'b') +
                            "\nText.\n## " + std::string(99, 'c') + " d\nText.\n");
  home.write("kept.txt", "kept");
  const fs::path out = home.folder() / "pictures";
  fs::create_directories(out);
  fs::create_symlink("../kept.txt", out / "01-first.png");
  const support::Finished finished = support::tilestep(
      {"play", (home.folder() / "long.md").string(), "--out", out.string(), "--device", "simt"},
      display.environment());
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(home.read("kept.txt"), "kept");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(out / "01-first.png")));
  EXPECT_TRUE(fs::exists(out / ("02-a" + std::string(99, 'b') + ".png")));
  EXPECT_TRUE(fs::exists(out / ("03-" + std::string(99, 'c') + ".png")));
}

}  // namespace tilestep::tests::play_test
