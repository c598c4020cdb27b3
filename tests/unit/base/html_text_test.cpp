// SPDX-License-Identifier: Apache-2.0
#include "base/html_text.h"

#include <gtest/gtest.h>

namespace tilestep::html_text_test {

TEST(HtmlText, EscapesMarkup) {
  EXPECT_EQ(escapedHtml("<b a='1' c=\"2\">&amp;</b>"),
            "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;&lt;/b&gt;");
}

/// With direction marks in its comments, a browser would show source code in a misleading order.
TEST(HtmlText, EscapesDirectionMarks) {
  EXPECT_EQ(escapedHtml("a\u202e b\x1b\n\tΣ"), "a\\u202e b\\x1b\n\tΣ");
}

}  // namespace tilestep::html_text_test
