// SPDX-License-Identifier: Apache-2.0
#include "features/first_minute/minute.h"

#include <gtest/gtest.h>

#include <set>

namespace tilestep::features::minute_test {

MinuteFigures figures(double speedup) {
  MinuteFigures made;
  made.kernel = "tiled";
  made.other = "naive";
  made.width = 16;
  made.threads = 256;
  made.loads = 512;
  made.otherLoads = 8192;
  made.speedup = speedup;
  made.speed = "7.74 TFLOP/s";
  made.otherSpeed = "5.09 TFLOP/s";
  made.otherLaunch = "naive in blocks of 16 × 16";
  made.sizes = "m = n = k = 1024";
  made.origin = "Test GPU, recorded 2026-11-21";
  return made;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Minute, EachPartContainsItsFigures) {
  const MinuteFigures f = figures(1.5);
  EXPECT_TRUE(says(textOf(MinutePart::together, f),
                   "**8,192** elements from global memory, and tiled requests **512**"));
  EXPECT_TRUE(says(textOf(MinutePart::guess, f), "8,192 loads against 512"));
  const std::string answer = textOf(MinutePart::answer, f);
  for (const char* part :
       {"m = n = k = 1024", "naive in blocks of 16 × 16 reaches 5.09 TFLOP/s", "tiled 7.74 TFLOP/s",
        "**1.5 times faster**", "not 16 times", "Test GPU, recorded 2026-11-21"})
    EXPECT_TRUE(says(answer, part)) << part << " in: " << answer;
}

TEST(Minute, KernelsNoteAppearsWhereTheUserWatchesSpeeds) {
  MinuteFigures f = figures(1.5);
  EXPECT_TRUE(textOf(MinutePart::narrow, f).ends_with("watch the dot in the plot."));
  f.note = "Odd widths are odd.";
  EXPECT_TRUE(textOf(MinutePart::narrow, f).ends_with("in the plot. Odd widths are odd."));
}

TEST(Minute, SpeedupAsLargeAsTheLoadsSuggestIsNotCalledLess) {
  EXPECT_FALSE(says(textOf(MinutePart::answer, figures(15)), "not 16 times"));
}

TEST(Minute, CachesAreMentionedOnlyIfCounted) {
  MinuteFigures f = figures(1.5);
  EXPECT_FALSE(says(textOf(MinutePart::answer, f), "L2"));
  f.otherAskedBytes = 8.59e9;
  f.otherL2Bytes = 0.501e9;
  EXPECT_TRUE(says(textOf(MinutePart::answer, f),
                   "The lanes of naive request 8.59 GB, but only 501 MB are read from L2"))
      << textOf(MinutePart::answer, f);
  f.otherL2Bytes = 8e9;
  EXPECT_FALSE(says(textOf(MinutePart::answer, f), "L2")) << "caches served almost nothing";
}

TEST(Minute, NarrowTilesAreComparedWithWideOnesAndWithTheOtherKernel) {
  MinuteFigures f = figures(0.98);
  f.width = 4;
  f.threads = 16;
  f.otherLaunch = "naive in blocks of 4 × 4";
  f.againstWide = "4.8 times slower";
  f.wideWidth = 16;
  EXPECT_TRUE(textOf(MinutePart::why, f)
                  .starts_with("With tiles of 4 × 4, tiled is **4.8 times slower** than with tiles "
                               "of 16 × 16, and is 1.02 times slower than naive in blocks of 4 × "
                               "4."))
      << textOf(MinutePart::why, f);
  EXPECT_TRUE(says(textOf(MinutePart::why, f), "fills only 16 of them"));
  EXPECT_TRUE(says(textOf(MinutePart::why, f), "serves only 4 threads instead of 16."));
  f.speedup = 1;
  EXPECT_TRUE(says(textOf(MinutePart::why, f), "is as fast as naive in blocks of 4 × 4"));
  f.againstWide.clear();
  EXPECT_TRUE(textOf(MinutePart::why, f).starts_with("With tiles of 4 × 4, tiled is as fast as"));
}

TEST(Minute, ThreeGuessesDifferByAThirdAndIncludeTheRightOne) {
  for (const double speedup : {0.05, 0.3, 0.9, 1.0, 1.4, 1.52, 2.2, 3.9, 4.0, 9.0, 16.0, 40.0}) {
    const MinuteFigures f = figures(speedup);
    const std::vector<std::string> guesses = guessesOf(f);
    ASSERT_EQ(guesses.size(), 3U) << speedup;
    EXPECT_EQ(std::set<std::string>(guesses.begin(), guesses.end()).size(), 3U) << speedup;
    ASSERT_LT(rightGuess(f), 3U) << speedup;
  }
  EXPECT_EQ(guessesOf(figures(1.52)),
            (std::vector<std::string>{"1.5 times faster", "4 times faster", "16 times faster"}));
  EXPECT_EQ(rightGuess(figures(1.52)), 0U);
}

TEST(Minute, WithoutTimesThereIsNoTextAboutSpeed) {
  MinuteFigures f = figures(1);
  f.speedup.reset();
  EXPECT_TRUE(guessesOf(f).empty());
  EXPECT_TRUE(hasPart(MinutePart::guess, f));
  for (const MinutePart part : {MinutePart::answer, MinutePart::narrow, MinutePart::why})
    EXPECT_FALSE(hasPart(part, f));
}

}  // namespace tilestep::features::minute_test
