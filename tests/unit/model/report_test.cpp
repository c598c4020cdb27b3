// SPDX-License-Identifier: Apache-2.0
#include "features/pins/report.h"

#include <gtest/gtest.h>

#include "base/base64.h"
#include "support/results.h"
#include "unit/features/pins/pins_samples.h"
#include "unit/model/session_fixture.h"

namespace tilestep::model::report_test {

std::string encoded(const std::string& text) {
  return base64(std::as_bytes(std::span<const char>(text)));
}

/// The vectors of RFC 4648.
TEST(Report, Base64) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encoded("\xFF\xFE"), "//4=");
}

using ReportTest = SessionFixture;

TEST_F(ReportTest, IsOnePageWithFiguresRunsAndCommands) {
  log->gpu = true;
  SessionOptions options;
  Pin pin = features::samplePin(1);
  pin.name = "<b>mine</b> & \"yours\"";
  options.pins = std::make_shared<const Pins>(Pins{{pin}, 0});
  open(options);
  settle();
  const std::string page = features::reportHtml(
      *session->snapshot(), {{"The window", {std::byte{1}, std::byte{2}}}}, "today");
  for (const char* part :
       {"<!DOCTYPE html>", "Tilestep report, today", "data:image/png;base64,AQI=",
        "tilestep run matmul_tiled --set TILE_WIDTH=4", "--device cuda:0", "measured on Test GPU",
        "&lt;b&gt;mine&lt;/b&gt; &amp; &quot;yours&quot;", "McGraw", "--set TILE_WIDTH=16 --m 1024",
        "</html>"})
    EXPECT_TRUE(has(page, part)) << part;
  EXPECT_FALSE(has(page, "<b>mine")) << "a name is shown as text";
  for (const char* outside : {"http://", "https://", "<script", "src=\"/"})
    EXPECT_FALSE(has(page, outside)) << outside << ": a report must not refer to other files";
}

TEST_F(ReportTest, IsAPageBeforeAnythingIsKnown) {
  const Snapshot nothing;
  const std::string page = features::reportHtml(nothing, {}, "today");
  EXPECT_TRUE(has(page, "</html>"));
  EXPECT_FALSE(has(page, "<img"));
}

}  // namespace tilestep::model::report_test
