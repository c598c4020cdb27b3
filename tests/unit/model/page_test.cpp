// SPDX-License-Identifier: Apache-2.0
#include "model/export/page.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "support/html_page.h"
#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::model::page_test {

using support::HtmlPage;

PageLook shippedLook() {
  const std::string folder = std::string(support::sourceRoot()) + "/assets/page/";
  return {readTextFile(folder + "page.css").value(), readTextFile(folder + "page.js").value()};
}

PageStep plainStep() {
  PageStep step;
  step.title = "One load, two uses";
  step.place = "phase 0, first of 2";
  step.text = {"Each thread loads **one element** into `Mds[0][0]`."};
  step.sentence = "4 threads: naive asks for 16 element loads, tiled for 8.";
  step.remark = "Line 89 is a barrier.";
  step.pictures = {{"<svg role=\"img\"><title>naive</title>\n</svg>\n"}};
  step.sources = {{"matmul_tiled.cu", {{80, "a < b;", true, "waits"}, {}, {93, "c;", false, ""}}}};
  step.tables = {{"Counts", {"count", "naive", "compared"}, {{"Loads", "16", "2 times fewer"}}}};
  return step;
}

PageStep askingStep() {
  PageStep step = plainStep();
  step.question = PageQuestion{"How many loads?", {}, 4711, "Answer: 4,711", {"It is **4711**."}};
  step.sentence = "The block asks for 4,711 loads.";
  step.tables = {{"Counts of 4711", {"count", "naive"}, {{"Loads", "4,711"}}}};
  step.remark = "4,711 of them.";
  return step;
}

/// A page with `text` in every field that a lesson, a kernel or its tunables' names can fill.
Page pageFullOf(const std::string& text) {
  PageStep step;
  step.title = step.place = step.sentence = step.origin = step.remark = text;
  step.text = {text, "**" + text + "**", "`" + text + "`"};
  step.sources = {{text, {{1, text, true, text}, {2, text, false, text}}}};
  step.tables = {{text, {text, text}, {{text, text}}, true}};
  step.instead = step.tables.front();
  PageStep asks = step;
  asks.question = PageQuestion{text, {text, text}, 1, text, {text}};
  Page page;
  page.title = page.note = text;
  page.steps = {step, asks};
  return page;
}

HtmlPage read(const Page& page) {
  const HtmlPage html = support::readHtml(htmlOf(page, shippedLook()));
  EXPECT_EQ(html.problem, "");
  return html;
}

/// The part that is shown only after an answer.
std::string veiledOf(const HtmlPage& html) {
  std::string all;
  for (const support::HtmlElement& element : html.elements)
    for (const char* name : {"data-veiled", "data-key"})
      if (const auto at = element.attributes.find(name); at != element.attributes.end())
        all += support::fromBase64(at->second) + "\n";
  return all;
}

TEST(Page, HasASectionForEachStepWithItsTextsAndPictures) {
  Page page;
  page.title = "Why tile";
  page.note = "The first 2 of 5 steps.";
  page.steps = {plainStep(), plainStep()};
  const HtmlPage html = read(page);
  EXPECT_EQ(html.with("class", "step").size(), 2U);
  EXPECT_EQ(html.with("id", "2").size(), 1U) << "a step can be linked to";
  EXPECT_EQ(html.named("html").front().attributes.at("lang"), "en");
  EXPECT_EQ(html.named("svg").size(), 2U);
  EXPECT_EQ(html.named("mark").size(), 2U) << "one running line per step";
  EXPECT_EQ(html.named("strong").size(), 2U);
  for (const char* text : {"Why tile", "The first 2 of 5 steps.", "One load, two uses",
                           "naive asks for 16 element loads", "matmul_tiled.cu", "a < b;", "⋮",
                           "2 times fewer", "Line 89 is a barrier.", "waits", "Mds[0][0]"})
    EXPECT_TRUE(has(html.text, text)) << text;
}

TEST(Page, FiguresAreAlignedAndComparisonsAreNot) {
  Page page;
  page.steps = {plainStep()};
  EXPECT_EQ(read(page).with("class", "number").size(), 2U) << "the heading and the cell of 16";
}

TEST(Page, AnAnswerIsUnreadableUntilItIsShown) {
  Page page;
  page.title = "Asking";
  page.steps = {askingStep()};
  const std::string written = htmlOf(page, shippedLook());
  for (const char* told : {"4711", "4,711"})
    EXPECT_FALSE(has(written, told)) << told << " is readable in the page's source";
  const std::string veiled = veiledOf(read(page));
  for (const char* text : {"4711\nAnswer: 4,711", "<strong>4711</strong>", "asks for 4,711 loads",
                           "Counts of 4711", "4,711 of them"})
    EXPECT_TRUE(has(veiled, text)) << text << " is shown with the answer";
  EXPECT_TRUE(has(written, "How many loads?"));
}

TEST(Page, AnUnknownAnswerSaysWhy) {
  Page page;
  page.steps = {askingStep()};
  page.steps.front().question->right.reset();
  page.steps.front().question->rightText = "The answer cannot be worked out here.";
  EXPECT_TRUE(has(veiledOf(read(page)), "\nThe answer cannot be worked out here."));
}

TEST(Page, TextsOfFilesNeverBecomeMarkup) {
  const size_t harmless = read(pageFullOf("x")).elements.size();
  for (const std::string text :
       {"</script><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onload='a",
        "<!--", "]]>", "&lt;script&gt;", "</style><script>", "</title><svg onload=alert(1)>",
        "\x01\x02<b>", "a][<i>][b c"}) {
    const Page page = pageFullOf(text);
    const HtmlPage html = read(page);
    EXPECT_EQ(html.dangers(), std::vector<std::string>()) << text;
    EXPECT_EQ(html.named("script").size(), 1U) << text;
    EXPECT_EQ(html.named("style").size(), 1U) << text;
    EXPECT_EQ(html.named("img").size() + html.named("b").size() + html.named("i").size(), 0U);
    if (text.find("][") == std::string::npos) {
      EXPECT_EQ(html.elements.size(), harmless) << text << " added an element";
    }
    // The veiled parts become elements when the answer is shown.
    for (const support::HtmlElement& element : html.elements) {
      const auto veiled = element.attributes.find("data-veiled");
      if (veiled == element.attributes.end()) continue;
      const HtmlPage part = support::readHtml(support::fromBase64(veiled->second));
      EXPECT_EQ(part.problem, "") << text;
      EXPECT_EQ(part.dangers(), std::vector<std::string>()) << text;
      EXPECT_EQ(part.named("script").size() + part.named("img").size(), 0U) << text;
    }
  }
}

TEST(Page, ForbidsTheNetworkAndForeignScripts) {
  Page page;
  page.steps = {plainStep()};
  const HtmlPage html = read(page);
  const auto policies = html.with("http-equiv", "Content-Security-Policy");
  ASSERT_EQ(policies.size(), 1U);
  const std::string policy = policies.front().attributes.at("content");
  const std::string nonce = html.named("script").front().attributes.at("nonce");
  EXPECT_TRUE(policy.starts_with("default-src 'none'; ")) << policy;
  EXPECT_TRUE(has(policy, "script-src 'nonce-" + nonce + "'"));
  EXPECT_FALSE(has(policy, "unsafe"));
  EXPECT_FALSE(has(policy, "http"));
  EXPECT_EQ(html.dangers(), std::vector<std::string>());
  const PageLook look = shippedLook();
  for (const char* address : {"http:", "https:", "url(", "@import", "fetch(", "XMLHttp"})
    EXPECT_FALSE(has((look.css + look.js), address)) << address;
}

TEST(Page, EqualPartsOfPicturesAreWrittenOnce) {
  std::string shapes;
  for (int i = 0; i < 200; ++i)
    shapes += "<rect x=\"" + std::to_string(i) + "\" y=\"12\" width=\"30\" height=\"40\"/>\n";
  const auto pictureOf = [&](const std::string& own) {
    return PagePicture{"<svg role=\"img\">\n" + shapes + own + "</svg>\n"};
  };
  Page page;
  page.steps = {plainStep(), plainStep()};
  page.steps[0].pictures = {pictureOf("<rect x=\"7\" y=\"7\" width=\"7\" height=\"7\"/>\n")};
  page.steps[1].pictures = {pictureOf("<text x=\"1\">so</text>\n")};
  const HtmlPage html = read(page);
  EXPECT_LT(html.named("rect").size(), 220U) << "not 401";
  EXPECT_GE(html.named("use").size(), 2U);
  for (const support::HtmlElement& use : html.named("use"))
    EXPECT_EQ(html.with("id", use.attributes.at("href").substr(1)).size(), 1U);
}

TEST(Page, ColoursFollowTheReadersAppearance) {
  Page page;
  page.colours = {{"#fbfbf9", "#0f1318"}};
  const std::string written = htmlOf(page, {});
  EXPECT_TRUE(
      has(written, ":root{--p0:#fbfbf9;}", "prefers-color-scheme:dark){:root{--p0:#0f1318;}}"));
}

TEST(Page, HiddenSourceIsVeiled) {
  PageStep step = askingStep();
  step.sources = {{"a.cu", {{80, "if (row < 7) {", true, "", {"row < 7"}}}}};
  Page page;
  page.steps = {step};
  const std::string html = htmlOf(page, shippedLook());
  EXPECT_FALSE(has(html, "row &lt; 7"));
  EXPECT_TRUE(has(html, "if (<span class=\"covered\" data-veiled=\"",
                  "covered until you answer</span>) {"));
}

}  // namespace tilestep::model::page_test
