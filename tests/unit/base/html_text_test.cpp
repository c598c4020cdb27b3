// SPDX-License-Identifier: Apache-2.0
#include "base/html_text.h"

#include <gtest/gtest.h>

namespace tilestep::html_text_test {

TEST(HtmlText, EscapesMarkup) {
  EXPECT_EQ(escapedHtml("<b a='1' c=\"2\">&amp;</b>"),
            "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;&lt;/b&gt;");
}

/// A browser would show a comment's marks for the direction of writing as another program.
TEST(HtmlText, SpellsOutDirectionMarks) {
  EXPECT_EQ(escapedHtml("a\u202e b\x1b\n\tΣ"), "a\\u202e b\\x1b\n\tΣ");
}

}  // namespace tilestep::html_text_test
