// SPDX-License-Identifier: Apache-2.0
#include "worker/prelude.h"

#include <gtest/gtest.h>

#include "support/results.h"
#include "worker/frame.h"

namespace tilestep::worker::prelude_test {

std::span<const std::byte> bytes(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// The bytes that pass if `text` is fed `cut` bytes at a time; "refused: …" on an Error.
std::string passed(Prelude& prelude, const std::string& text, size_t cut) {
  std::string out;
  for (size_t i = 0; i < text.size(); i += cut) {
    const std::string piece = text.substr(i, cut);
    const auto rest = prelude.feed(bytes(piece));
    if (!rest) return "refused: " + rest.error().message;
    out.append(reinterpret_cast<const char*>(rest->data()), rest->size());
  }
  return out;
}

TEST(Prelude, NoiseIsSkippedInPiecesOfAnySize) {
  const std::string frames = "TSW1 and the TSW1 after it";
  for (const std::string noise : {"", "\n", "Welcome\nTS\nTSW2\n", "T", "TSW"}) {
    for (const size_t cut : {size_t{1}, size_t{2}, size_t{3}, size_t{5}, size_t{1000}}) {
      Prelude prelude;
      EXPECT_EQ(passed(prelude, noise + frames, cut), frames) << noise << " cut at " << cut;
    }
  }
}

TEST(Prelude, TheFirstNonBlankLineIsKept) {
  Prelude prelude;
  EXPECT_EQ(prelude.firstLine(), "");
  (void)prelude.feed(bytes("  \r\n\r\n \x1b[1mWelcome\r\nto this\n"));
  EXPECT_EQ(prelude.firstLine(), " .[1mWelcome");
  Prelude noisy;
  const std::string text = "Hello\nTSW1....";
  (void)noisy.feed(bytes(text));
  EXPECT_EQ(noisy.firstLine(), "Hello");
}

TEST(Prelude, NoiseHasALimit) {
  for (const size_t cut : {size_t{1000}, size_t{1} << 20}) {
    Prelude fits, tooLong;
    EXPECT_EQ(passed(fits, std::string(Prelude::kMostNoise, 'x') + "TSW1", cut), "TSW1");
    const std::string refused =
        passed(tooLong, std::string(Prelude::kMostNoise + 1, 'x') + "TSW1", cut);
    EXPECT_TRUE(refused.starts_with("refused")) << cut;
    EXPECT_TRUE(has(refused, "xxx"));
  }
}

}  // namespace tilestep::worker::prelude_test
