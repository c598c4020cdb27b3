// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "support/picture.h"
#include "support/results.h"
#include "support/skips.h"
#include "support/virtual_display.h"
#include "ui/driven_window.h"

namespace tilestep::tests::window_test {

using nlohmann::json;

json counters(const json& state, const char* side) {
  return state.at("scenes").at(side).at("counters");
}

TEST(Window, OpensOnNaiveBesideTiledWithOneSentence) {
  DrivenWindow window({"--device", "simt"});
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.settle());
  const json state = window.state();
  EXPECT_EQ(state["kernel"], "matmul_tiled");
  EXPECT_EQ(state["tunables"]["TILE_WIDTH"], 16);
  EXPECT_EQ(state["scene_sizes"], json({{"m", 32}, {"n", 32}, {"k", 32}}));
  EXPECT_EQ(state["scenes"]["companion"]["kernel"], "matmul_naive");
  EXPECT_EQ(state["sentence"],
            "Load, 256 threads, k = 0…15: naive asks for 8,192 element loads, tiled for 512; "
            "each slot serves 16 threads.");
  EXPECT_TRUE(state["notices"].empty()) << state["notices"];
}

TEST(Window, TheFirstStartGuidesUntilEsc) {
  DrivenWindow window({"--device", "simt"}, {}, 1024, 640, false);
  NEEDS_DISPLAY(window);
  const auto isAt = [](const json& s, int step) {
    return s.at("first_minute").is_object() && s.at("first_minute").at("step") == step;
  };
  ASSERT_TRUE(window.waitUntil([&](const json& s) { return isAt(s, 1); })) << window.state();
  EXPECT_EQ(window.state()["density"], "lesson");
  // The thread is chosen before the first trace arrives, and then shows it.
  ASSERT_TRUE(window.settle());
  EXPECT_EQ(window.state()["thread"]["name"], "(0, 0)");
  window.key("space");
  ASSERT_TRUE(window.waitUntil([&](const json& s) { return isAt(s, 2); })) << window.state();
  window.key("Escape");
  ASSERT_TRUE(window.waitUntil([](const json& s) { return s.at("first_minute").is_null(); }));
  window.key("F8");
  ASSERT_TRUE(window.waitUntil([](const json& s) { return s.at("density") == "lab"; }));
  window.key("F9");
  ASSERT_TRUE(window.waitUntil([&](const json& s) { return isAt(s, 1); })) << window.state();
}

TEST(Window, IsNotLargerThanTheScreen) {
  DrivenWindow window({"--device", "simt"}, {}, 1280, 800);
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.settle());
  EXPECT_EQ(window.state()["window"], json({1280, 800}));
}

TEST(Window, TheWarpViewShowsWhatPaddingDoes) {
  for (const auto& [pad, wavefronts] : {std::pair("PAD=0", 32), std::pair("PAD=1", 1)}) {
    DrivenWindow window({"--device", "simt", "--kernel", "matmul_tiled_swapped", "--set",
                         "TILE_WIDTH=32", "--set", pad});
    NEEDS_DISPLAY(window);
    ASSERT_TRUE(window.settle());
    // Steps through single accesses from the first barrier to a load from Nds. The compiler chooses
    // the order of the loads before it.
    window.key("w");
    window.key("3");
    ASSERT_TRUE(window.waitUntil([](const json& s) {
      return s.at("warp_view") == true && s.at("step").at("grain") == "event";
    }));
    const auto readsNds = [](const json& s) {
      return s.at("warp").is_object() && s.at("warp").at("group") == "load Nds";
    };
    for (int tries = 0; tries < 6 && !readsNds(window.state()); ++tries) {
      const int64_t next = window.state()["step"]["index"].get<int64_t>() + 1;
      window.key("Right");
      ASSERT_TRUE(
          window.waitUntil([&](const json& s) { return s.at("step").at("index") == next; }));
    }
    ASSERT_TRUE(readsNds(window.state())) << window.state()["warp"];
    EXPECT_EQ(window.state()["warp"]["wavefronts"], wavefronts);
  }
}

/// The picture shows the kernel's run, not a formula: a kernel that loads differently must look
/// different.
TEST(Window, ChangedKernelsChangeWhatIsShown) {
  support::HomeCopy home;
  const std::string path = "kernels/matmul_tiled.cu";
  const std::string text = home.read(path);
  std::set<std::string> shown;
  const auto look = [&](const std::string& changed) {
    home.write(path, changed);
    DrivenWindow window({"--device", "simt", "--set", "TILE_WIDTH=16"}, {home.variable()});
    if (!window.unable().empty()) return;
    EXPECT_TRUE(window.settle());
    shown.insert(counters(window.state(), "main").dump());
  };
  look(text);
  if (shown.empty()) GTEST_SKIP() << support::because(support::kNoDisplay);
  look(support::replaced(text, "Mds[ty][tx]", "Mds[tx][ty]"));
  look(support::replaced(text, "Nds[ty][tx] = N[(ph * TILE_WIDTH + ty) * n + col];",
                         "Nds[ty][tx] = 1.0f;"));
  EXPECT_EQ(shown.size(), 3U);
}

TEST(Window, CountsBothKernelsAtTheMeasuredSize) {
  DrivenWindow window({"--device", "simt", "--size", "128"});
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.waitUntil([](const json& s) { return s.value("countable", false); }));
  ASSERT_TRUE(window.settle());
  window.key("c");
  ASSERT_TRUE(window.waitUntil([](const json& s) {
    // Until the count arrives, the scene's own figures are for this size as well.
    const json& figures = s.at("figures");
    return !s.value("countable", true) && figures.is_object() &&
           figures.at("sizes").at("k") == 128 && figures.at("companion").is_object();
  })) << window.state().dump(1);
  const json state = window.state();
  EXPECT_EQ(state["whole_grid"], true);
  EXPECT_EQ(state["countable"], false);
  // Each of n³ products requests two elements; tiles of 4 request a quarter of these.
  EXPECT_EQ(state["figures"]["companion"]["loads"], 2 * 128 * 128 * 128);
  EXPECT_EQ(state["figures"]["counters"]["loads"], 2 * 128 * 128 * 128 / 4);
}

TEST(Window, ALostWorkerIsReplacedAndThePictureStays) {
  DrivenWindow window({"--device", "simt"});
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.settle());
  const json before = window.state()["scenes"];
  window.killWorker();
  EXPECT_EQ(window.state()["scenes"], before);
  window.key("bracketright");
  ASSERT_TRUE(
      window.waitUntil([](const json& s) { return s.at("tunables").at("TILE_WIDTH") == 17; }));
  EXPECT_TRUE(window.settle()) << window.state().dump(1);
}

TEST(Window, AMissingDisplayIsReportedInOneSentence) {
  const support::Finished finished = support::tilestep({}, {"DISPLAY=", "WAYLAND_DISPLAY="});
  EXPECT_EQ(finished.status, 2);
  EXPECT_TRUE(has(finished.err, "display"));
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
}

TEST(Window, TabWalksIntoTheControlsAndEscLeavesThem) {
  const DrivenWindow window({"--device", "simt"});
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.settle());
  const auto opens = [](const json& s) { return s.at("list_open") == true; };
  const auto closed = [](const json& s) { return s.at("list_open") == false; };
  window.key("Tab");  // To the first control: the list of kernels.
  ASSERT_TRUE(window.waitUntil([](const json& s) { return s.at("walking") == true; }));
  window.key("space");
  ASSERT_TRUE(window.waitUntil(opens)) << "Space opens the list and takes no step";
  EXPECT_EQ(window.state()["step"]["index"], 0);
  const std::string kernel = window.state()["kernel"];
  window.key("Down");
  window.key("space");
  ASSERT_TRUE(window.waitUntil([&](const json& s) { return s.at("kernel") != kernel; }))
      << "the arrow goes to the next kernel, Space takes it";
  ASSERT_TRUE(window.waitUntil(closed));
  ASSERT_TRUE(window.settle());
  window.key("ctrl+z");
  ASSERT_TRUE(window.waitUntil([&](const json& s) { return s.at("kernel") == kernel; }));
  ASSERT_TRUE(window.settle());
  window.key("Escape");
  window.key("space");
  EXPECT_TRUE(window.waitUntil([](const json& s) { return s.at("step").at("index") == 1; }))
      << "after Esc, Space steps again";
}

TEST(Window, AKernelThatCannotBeComparedIsRefused) {
  const support::Finished finished = support::tilestep({"--beside", "transpose", "--fresh"});
  EXPECT_EQ(finished.status, 2);
  EXPECT_TRUE(has(finished.err, "transpose cannot be compared with matmul_tiled"));
}

TEST(Window, TwoFunctionsOfOneFileAreRefused) {
  const std::string file = testing::TempDir() + "/window_test_two.cu";
  ASSERT_TRUE(writeFileAtomically(
      file,
      "/*---\nsizes = { n = 64 }\n[launch]\nblock = [64]\ngrid = [1]\n"
      "[[operand]]\nname = \"out\"\nextent = \"n\"\ndirection = \"out\"\n"
      "[[operand]]\nname = \"n\"\nkind = \"scalar\"\ntype = \"i32\"\nvalue = \"n\"\n---*/\n"
      "__global__ void first(float* out, int n) { out[threadIdx.x] = 1.0f; }\n"
      "__global__ void second(float* out, int n) { out[threadIdx.x] = 2.0f; }\n"));
  const support::Finished finished =
      support::tilestep({"--kernel", file, "--entry", "first", "--beside", file, "--beside-entry",
                         "second", "--fresh"});
  EXPECT_EQ(finished.status, 2);
  EXPECT_TRUE(has(finished.err, "two functions of one file, first and second of "));
}

TEST(Window, UnwritableFilesAreReportedBeforeItOpens) {
  for (const char* option : {"--frame-log", "--state"}) {
    const support::Finished finished = support::tilestep({option, "/proc/none/file", "--fresh"});
    EXPECT_EQ(finished.status, 2) << option;
    EXPECT_TRUE(has(finished.err, "/proc/none/file"));
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
  }
}

TEST(Window, PresentationModeRestoresTheDesk) {
  DrivenWindow window({"--device", "simt"});
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.settle());
  window.key("t");
  window.key("F3");
  ASSERT_TRUE(window.waitUntil([](const json& s) { return s.at("folded").at("source") == true; }));
  const json desk = window.state();
  window.key("F5");
  ASSERT_TRUE(window.waitUntil([](const json& s) { return s.at("presenting") == true; }));
  const json hall = window.state();
  EXPECT_EQ(hall["theme"], "high contrast");
  EXPECT_GT(hall["scale"], desk["scale"]);
  EXPECT_EQ(hall["folded"], json({{"controls", true}, {"source", true}, {"measures", false}}));
  EXPECT_EQ(hall["scenes"]["main"]["output_hash"], desk["scenes"]["main"]["output_hash"]);
  window.key("F5");
  ASSERT_TRUE(window.waitUntil([](const json& s) { return s.at("presenting") == false; }));
  const json after = window.state();
  for (const char* what : {"theme", "scale", "folded", "step", "kernel", "tunables"})
    EXPECT_EQ(after[what], desk[what]) << what;
}

TEST(Window, TheNextStartBeginsWhereThisOneEnds) {
  const support::HomeCopy place;  // A folder of its own; its copies are not looked at.
  const std::string kept = "XDG_STATE_HOME=" + place.folder().string();
  json left;
  {
    DrivenWindow window({"--device", "simt"}, {kept});
    NEEDS_DISPLAY(window);
    ASSERT_TRUE(window.settle());
    for (const char* key : {"bracketright", "t", "plus", "F2", "space"}) window.key(key);
    ASSERT_TRUE(window.waitUntil([](const json& s) {
      return s.at("tunables").at("TILE_WIDTH") == 17 && s.at("step").at("index") == 1 &&
             s.at("folded").at("controls") == true;
    }));
    ASSERT_TRUE(window.settle());
    left = window.state();
    // It is saved within two seconds of the last change.
    const std::filesystem::path file = place.folder() / "tilestep" / "window.toml";
    ASSERT_TRUE(window.waitUntil([&](const json&) {
      const std::string text =
          std::filesystem::exists(file) ? place.read("tilestep/window.toml") : std::string();
      return text.find("TILE_WIDTH = 17") != std::string::npos &&
             text.find("step = 1") != std::string::npos;
    }));
  }
  DrivenWindow window({"--device", "simt"}, {kept});
  ASSERT_TRUE(window.settle());
  ASSERT_TRUE(window.waitUntil([](const json& s) { return s.at("step").at("index") == 1; }));
  for (const char* what : {"theme", "scale", "folded", "tunables", "scene_sizes", "kernel"})
    EXPECT_EQ(window.state()[what], left[what]) << what;
  EXPECT_EQ(window.state()["can_undo"], false);
}

TEST(Window, ADamagedStateIsSetAsideAndReported) {
  const support::HomeCopy place;
  std::filesystem::create_directories(place.folder() / "tilestep");
  place.write("tilestep/window.toml", "version = 1\n[place]\nstep = \"far\"\n");
  DrivenWindow window({"--device", "simt"}, {"XDG_STATE_HOME=" + place.folder().string()});
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.settle());
  const json notices = window.state()["notices"];
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_TRUE(has(notices[0]["source"].get<std::string>(), "window.toml:3"));
  EXPECT_TRUE(std::filesystem::exists(place.folder() / "tilestep" / "window.damaged-1.toml"));
  EXPECT_EQ(window.state()["tunables"]["TILE_WIDTH"], 16);
}

}  // namespace tilestep::tests::window_test
