// SPDX-License-Identifier: Apache-2.0
// Web pages of shipped lessons, as `tilestep play --page` writes them and a browser shows them.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "features/lessons/lesson.h"
#include "gfx/drawing/frame_drawing.h"
#include "support/browser.h"
#include "support/html_page.h"
#include "support/results.h"
#include "support/service.h"
#include "support/source_root.h"
#include "support/tool.h"
#include "support/virtual_display.h"

namespace tilestep::tests::page_test {

namespace fs = std::filesystem;

/// A page of a shipped lesson, written once for all tests.
class PageOfLesson : public testing::Test {
 protected:
  static constexpr const char* kLesson = "1-why-tile";

  void SetUp() override {
    const support::VirtualDisplay display(1280, 800);
    if (!display.ok()) GTEST_SKIP() << display.why();
    const support::Finished played = support::tilestep(
        {"play", kLesson, "--page", page(), "--device", "simt"}, display.environment());
    ASSERT_EQ(played.status, 0) << played.err;
  }
  [[nodiscard]] std::string page() const { return folder_.path("page.html"); }

  support::TemporaryFolder folder_{"page"};
};

size_t stepsOf(const std::string& lesson) {
  const std::string file = std::string(support::sourceRoot()) + "/assets/lessons/" + lesson + ".md";
  return features::readLesson(file)->steps.size();
}

/// Steps through a page in a frame of 360 pixels, and prints what it shows.
constexpr const char* kVisitor = R"html(<!DOCTYPE html><meta charset="utf-8">
<iframe style="width:360px;height:640px" src="page.html#3"></iframe><pre></pre><script>
const frame = document.querySelector("iframe");
const say = (text) => { document.querySelector("pre").textContent += text + "\n"; };
frame.addEventListener("load", () => {
  const view = frame.contentWindow, page = frame.contentDocument;
  view.addEventListener("error", (event) => say("error " + event.message));
  page.addEventListener("securitypolicyviolation", (event) => say("refused " + event.blockedURI));
  const shown = () => [...page.querySelectorAll(".step")]
      .filter((step) => step.getClientRects().length > 0).map((step) => step.id).join();
  const press = (key, on) => {
    (on || page.body).dispatchEvent(
        new view.KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
    say(key + ": " + shown());
  };
  const swipe = (from, to) => {
    const at = (x) => new view.Touch({identifier: 1, target: page.body, clientX: x, clientY: 300});
    page.body.dispatchEvent(
        new view.TouchEvent("touchstart", {touches: [at(from)], bubbles: true}));
    page.body.dispatchEvent(
        new view.TouchEvent("touchend", {changedTouches: [at(to)], bubbles: true}));
    say("swipe: " + shown());
  };
  say("begins: " + shown());
  press("ArrowRight"); press("PageDown"); press(" "); press("ArrowLeft"); press("PageUp");
  press("End"); press("ArrowRight"); press("Home"); press("ArrowLeft");
  swipe(300, 100); swipe(100, 300); swipe(100, 130);
  page.querySelector("nav [data-go='1']").click();
  say("Next: " + shown());
  say("address " + view.location.hash);
  say("said " + page.querySelector("[data-said]").textContent);
  press("Home");
  const step = page.querySelector(".step"), input = step.querySelector("input");
  const answer = (text) => {
    input.value = text;
    step.querySelector("[data-entered]").click();
    const veiled = step.querySelectorAll("[data-veiled]").length;
    const sentences = step.querySelectorAll(".sentence").length;
    say(`answer ${text}: ${step.querySelector(".verdict").textContent} ` +
        `${veiled} veiled, ${sentences} sentence`);
  };
  press("ArrowRight", input);
  answer(""); answer("31"); answer("8"); answer("32.0");
  const clickOn = () => {
    press("PageDown");
    const shown = page.querySelector(".step.current");
    if (shown.id === "2") say(shown.querySelectorAll("[data-veiled]").length + " veiled");
  };
  clickOn(); clickOn(); clickOn();
  say("overflow " + (page.documentElement.scrollWidth - page.documentElement.clientWidth));
  const small = [...page.querySelectorAll("nav button, .step:first-child button")]
      .filter((button) => button.getClientRects().length > 0)
      .filter((button) => button.getBoundingClientRect().height < 44);
  say("small buttons " + small.length);
  say("fetched " + view.performance.getEntriesByType("resource").length);
  say("done");
});
</script>)html";

/// Shows a page in a frame in which no script runs, and returns the page's text.
constexpr const char* kReader = R"html(<!DOCTYPE html><meta charset="utf-8">
<iframe sandbox="allow-same-origin" src="page.html"></iframe><pre></pre><script>
const frame = document.querySelector("iframe");
frame.addEventListener("load", () => {
  const shown = (what) => [...frame.contentDocument.querySelectorAll(what)]
      .filter((one) => one.getClientRects().length > 0).length;
  document.querySelector("pre").textContent =
      `shown ${shown(".step")}, navigation ${shown("nav, .answering")}`;
});
</script>)html";

TEST_F(PageOfLesson, HasAllStepsAndNeedsNoOtherFile) {
  const Result<std::string> text = readTextFile(page());
  ASSERT_TRUE(text);
  const support::HtmlPage html = support::readHtml(*text);
  EXPECT_EQ(html.problem, "");
  EXPECT_EQ(html.dangers(), std::vector<std::string>());
  EXPECT_EQ(html.with("class", "step").size(), stepsOf(kLesson));
  EXPECT_GE(html.with("role", "img").size(), stepsOf(kLesson)) << "a picture a step";
  EXPECT_FALSE(has(html.text, "…,")) << "a figure was not waited for";
  EXPECT_TRUE(has(html.text, "naive asks for 16 element loads, tiled for 8"));
  EXPECT_LT(text->size(), 1'000'000U);
}

TEST_F(PageOfLesson, WorksInABrowserWithoutTheNetwork) {
  const support::Browser browser;
  if (!browser.ok()) GTEST_SKIP() << browser.why();
  folder_.write("visitor.html", kVisitor);
  const support::Browser::Seen seen = browser.open(folder_.path("visitor.html"));
  EXPECT_EQ(seen.messages, "");
  const std::string last = std::to_string(stepsOf(kLesson));
  for (const std::string& line : std::vector<std::string>{
           "begins: 3\nArrowRight: 4\nPageDown: 5\n : 6\nArrowLeft: 5\nPageUp: 4\n",
           "End: " + last + "\nArrowRight: " + last + "\nHome: 1\nArrowLeft: 1\n",
           "swipe: 2\nswipe: 1\nswipe: 1\nNext: 2\naddress #2\n",
           "said Step 2 of " + last + ": How often each element is read. ",
           "Home: 1\nArrowRight: 1\n",  // The field keeps its arrow keys.
           "answer : Type a number. 3 veiled, 0 sentence\n",
           "answer 31: Not quite. 31 is too small. 3 veiled, 0 sentence\n",
           "answer 8: Not quite. 8 are the loads of one thread: 4 of M and 4 of N. The block has 4 "
           "such threads.Hint: How many elements",
           "PageDown: 2\n3 veiled\nPageDown: 2\n0 veiled\nPageDown: 3\n",
           "answer 32.0: Right. 0 veiled, 1 sentence\n", "overflow 0\n", "small buttons 0\n",
           "fetched 0\n", "done\n"})
    EXPECT_TRUE(has(seen.dom, line)) << line << "is not in\n";
  for (const char* trouble : {"\nerror ", "\nrefused "}) EXPECT_FALSE(has(seen.dom, trouble));
}

TEST_F(PageOfLesson, OpensAtTheStepOfItsAddressAndShowsAllWithoutScripts) {
  const support::Browser browser;
  if (!browser.ok()) GTEST_SKIP() << browser.why();
  const support::Browser::Seen third = browser.open(page(), "#3");
  EXPECT_EQ(third.messages, "");
  EXPECT_TRUE(has(third.dom, "class=\"step current\" id=\"3\"", "class=\"stepping\""));
  folder_.write("reader.html", kReader);
  const support::Browser::Seen plain = browser.open(folder_.path("reader.html"));
  EXPECT_TRUE(has(plain.dom, "shown " + std::to_string(stepsOf(kLesson)) + ", navigation 0"));
}

TEST(PlayPage, NamesTheMissingFile) {
  const support::Finished none = support::tilestep({"play", "1-why-tile"});
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(has(none.err, "--page FILE.html"));
}

TEST(PlayPage, AFailedWriteIsReportedAndPicturesAreStillSaved) {
  const support::VirtualDisplay display(1280, 800);
  if (!display.ok()) GTEST_SKIP() << display.why();
  const support::TemporaryFolder folder("page");
  folder.write("file", "This is no folder.");
  folder.write("one.md", "# One\n## First\n```toml\nkernel = \"matmul_tiled\"\n```\nText.\n");
  const support::Finished played =
      support::tilestep({"play", folder.path("one.md"), "--page", folder.path("file/page.html"),
                         "--out", folder.path("pictures"), "--device", "simt"},
                        display.environment());
  EXPECT_EQ(played.status, 1);
  EXPECT_TRUE(has(played.err, "page.html"));
  EXPECT_TRUE(fs::exists(folder.path("pictures/01-first.png")));
}

}  // namespace tilestep::tests::page_test
