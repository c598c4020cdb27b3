// SPDX-License-Identifier: Apache-2.0
// A user's own program in the window: opened, shown, changed and fixed.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/private_folder.h"
#include "support/source_root.h"
#include "support/virtual_display.h"
#include "ui/driven_window.h"

namespace tilestep::tests::program_window_test {

using nlohmann::json;

/// The last block reads beyond the end of x.
constexpr const char* kFaulty = R"(#include <cstdio>
__global__ void twice(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = 2 * x[i];
}
int main() {
  const int n = 100;
  float h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  twice<<<2, 64>>>(d, n);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%g\n", h[99]);
}
)";

std::string fixed() {
  std::string text = kFaulty;
  const std::string store = "  x[i] =";
  return text.replace(text.find(store), store.size(), "  if (i < n) x[i] =");
}

class OwnProgram {
 public:
  explicit OwnProgram(const std::string& text) { write(text); }
  void write(const std::string& text) const { EXPECT_TRUE(writeFileAtomically(path(), text).ok()); }
  [[nodiscard]] std::string path() const { return (folder_.path() / "hw1.cu").string(); }
  [[nodiscard]] support::Words state() const {
    return {"XDG_STATE_HOME=" + (folder_.path() / "state").string()};
  }

 private:
  PrivateFolder folder_;
};

bool hasEnded(const json& state, bool withFaults) {
  if (!state.contains("program")) return false;
  const json& program = state.at("program");
  return program.at("state") == "ended" && !program.at("old").get<bool>() &&
         (program.at("faults").get<size_t>() > 0) == withFaults;
}

TEST(ProgramWindow, AProgramIsOpenedRunAndItsFaultFound) {
  const OwnProgram program(kFaulty);
  DrivenWindow window({"--open", program.path()}, program.state());
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.waitUntil([](const json& s) { return hasEnded(s, true); })) << window.state();
  EXPECT_EQ(window.state().at("program").at("verdict"), "2 faults were found.");
  EXPECT_EQ(window.state().at("stage"), "program");
  ASSERT_TRUE(window.waitUntil([](const json& s) { return s.at("program").at("launch") == 1; }));
  EXPECT_EQ(window.state().at("kernel"), "hw1 #1");
}

TEST(ProgramWindow, AFileFixedInAnotherEditorIsRunAgain) {
  const OwnProgram program(kFaulty);
  DrivenWindow window({"--open", program.path()}, program.state());
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.waitUntil([](const json& s) { return hasEnded(s, true); })) << window.state();
  program.write(fixed());
  ASSERT_TRUE(window.waitUntil([](const json& s) { return hasEnded(s, false); })) << window.state();
  EXPECT_TRUE(window.state().at("program").at("saved"));
}

TEST(ProgramWindow, ACompileErrorIsShownAtItsLine) {
  const OwnProgram program("int main() {\n  flaot x;\n}\n");
  DrivenWindow window({"--open", program.path()}, program.state());
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.waitUntil([](const json& s) {
    return s.contains("program") && s.at("program").at("state") == "refused";
  })) << window.state();
  const std::string verdict = window.state().at("program").at("verdict");
  EXPECT_TRUE(verdict.starts_with("Line 2: ")) << verdict;
}

/// The contents of the draft's file; empty if there is no file.
std::string draftBelow(const std::filesystem::path& state) {
  std::error_code none;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(state / "state" / "tilestep", none))
    if (entry.path().filename() == "hw1.cu" &&
        entry.path().parent_path().filename().string().starts_with("kernel-"))
      return readTextFile(entry.path()).ok() ? *readTextFile(entry.path()) : std::string();
  return {};
}

TEST(ProgramWindow, UnsavedTextSurvivesTheWindow) {
  const OwnProgram program(kFaulty);
  const std::filesystem::path folder = std::filesystem::path(program.path()).parent_path();
  {
    DrivenWindow window({"--open", program.path()}, program.state());
    NEEDS_DISPLAY(window);
    ASSERT_TRUE(window.waitUntil([](const json& s) { return hasEnded(s, true); }));
    window.click(200, 300);  // Into the source.
    window.type("abc");
    ASSERT_TRUE(window.waitUntil([](const json& s) {
      return !s.at("program").at("saved").get<bool>();
    })) << window.state().at("program");
    // Saved before any compilation or close.
    ASSERT_TRUE(window.waitUntil(
        [&](const json&) { return draftBelow(folder).find("abc") != std::string::npos; }));
  }
  EXPECT_EQ(*readTextFile(program.path()), kFaulty);
  DrivenWindow again({"--open", program.path()}, program.state());
  ASSERT_TRUE(again.waitUntil([](const json& s) {
    return s.contains("program") && !s.at("program").at("saved").get<bool>();
  }));
}

TEST(ProgramWindow, AnOfferedChangeFixesTheProgram) {
  const OwnProgram program(kFaulty);
  DrivenWindow window({"--open", program.path()}, program.state());
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.waitUntil([](const json& s) {
    return hasEnded(s, true) &&
           s.at("program").at("fix_outcome") == "With this change, no fault is found.";
  })) << window.state().at("program");
  const json place = window.state().at("program").at("take_fix");
  window.click(place[0], place[1]);
  ASSERT_TRUE(window.waitUntil([](const json& s) { return hasEnded(s, false); }))
      << window.state().at("program");
  EXPECT_FALSE(window.state().at("program").at("saved").get<bool>());
  window.key("ctrl+z");
  ASSERT_TRUE(window.waitUntil([](const json& s) { return hasEnded(s, true); }));
  EXPECT_TRUE(window.state().at("program").at("saved").get<bool>());
}

TEST(ProgramWindow, ASliderChangesTheNumberInTheTextAndRunsIt) {
  const OwnProgram program(fixed());
  DrivenWindow window({"--open", program.path()}, program.state());
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.waitUntil([](const json& s) {
    return hasEnded(s, false) && s.at("program").at("sliders").at("n").contains("box");
  })) << window.state();
  const json box = window.state().at("program").at("sliders").at("n").at("box");
  const auto at = [&](size_t i) { return static_cast<int>(box[i].get<double>()); };
  const int y = at(1) + at(3) / 2;
  window.drag(at(0) + at(2) / 2, y, at(0) + at(2) - 4, y);
  ASSERT_TRUE(window.waitUntil([](const json& s) {
    return s.at("program").at("sliders").at("n").at("value") == 400 &&
           s.at("program").at("state") == "ended" && !s.at("program").at("old").get<bool>();
  })) << window.state().at("program");
  // The grid has 128 threads, so nothing sets the values beyond them that the host copies back.
  EXPECT_EQ(*readTextFile(program.path()), fixed());
  window.key("ctrl+z");
  ASSERT_TRUE(window.waitUntil([](const json& s) {
    return s.at("program").at("sliders").at("n").at("value") == 100;
  })) << window.state().at("program");
}

TEST(ProgramWindow, ALessonOpensACopyThatStaysFixed) {
  const PrivateFolder folder;
  const support::Words places{"XDG_STATE_HOME=" + (folder.path() / "state").string(),
                              "XDG_DATA_HOME=" + (folder.path() / "data").string()};
  const auto copy = folder.path() / "data" / "tilestep" / "programs" / "dot_product.cu";
  const std::string shipped =
      readTextFile(support::sourceRoot() + "/assets/programs/dot_product.cu").value();
  std::string clean = shipped;
  const std::string addition = "sums[t + half];\n";
  clean.insert(clean.find(addition) + addition.size(), "    __syncthreads();\n");
  {
    const DrivenWindow window({"--lesson", "16-your-own-program"}, places);
    NEEDS_DISPLAY(window);
    ASSERT_TRUE(window.waitUntil([](const json& s) {
      return hasEnded(s, true) && s.at("program").at("launch") == 1;
    })) << window.state();
    EXPECT_EQ(window.state().at("stage"), "program");
    EXPECT_EQ(window.state().at("program").at("path"), copy.string());
    EXPECT_EQ(window.state().at("program").at("faults"), 1);
    EXPECT_EQ(*readTextFile(copy), shipped);
    ASSERT_TRUE(writeFileAtomically(copy, clean).ok());
    ASSERT_TRUE(window.waitUntil([](const json& s) { return hasEnded(s, false); }));
  }
  const DrivenWindow again({"--lesson", "16-your-own-program"}, places);
  ASSERT_TRUE(again.waitUntil([](const json& s) { return hasEnded(s, false); })) << again.state();
  EXPECT_EQ(*readTextFile(copy), clean);
}

TEST(ProgramWindow, TheProgramStaysWhenTheWorkerIsKilled) {
  const OwnProgram program(kFaulty);
  DrivenWindow window({"--open", program.path()}, program.state());
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.waitUntil([](const json& s) {
    return hasEnded(s, true) && s.at("program").at("launch") == 1;
  })) << window.state();
  window.click(200, 300);
  window.type("x");
  ASSERT_TRUE(
      window.waitUntil([](const json& s) { return !s.at("program").at("saved").get<bool>(); }));
  window.killWorker();
  window.key("ctrl+z");
  EXPECT_TRUE(window.waitUntil([](const json& s) { return s.contains("program"); }));
  window.key("ctrl+Return");
  EXPECT_TRUE(window.waitUntil([](const json& s) {
    return s.at("program").at("state") != "running";
  })) << window.state().at("program");
}

}  // namespace tilestep::tests::program_window_test
