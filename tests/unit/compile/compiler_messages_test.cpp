// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/compiler_messages.h"

#include <gtest/gtest.h>

#include <random>

namespace tilestep::compile::compiler_messages_test {

TEST(CompilerMessages, ListsRoundTripAndTruncatedListsAreRefused) {
  bool isDamaged = false;
  std::string bytes = packed({"a", "", std::string("\0b", 2)}) + packed({});
  EXPECT_EQ(unpacked(bytes, isDamaged), (Texts{"a", "", std::string("\0b", 2)}));
  EXPECT_EQ(unpacked(bytes, isDamaged), Texts{});
  EXPECT_EQ(bytes, "");
  EXPECT_FALSE(isDamaged);
  const std::string whole = packed({"abc", "d"});
  for (size_t size = 0; size < whole.size(); ++size) {
    std::string part = whole.substr(0, size);
    EXPECT_FALSE(unpacked(part, isDamaged));
    EXPECT_FALSE(isDamaged) << size;
  }
}

TEST(CompilerMessages, DamagedListsAreRefused) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = packed({"abc", "d", "efghijk"});
    for (int change = 0; change < 3; ++change)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    bool isDamaged = false;
    static_cast<void>(unpacked(bytes, isDamaged));
  }
  bool isDamaged = false;
  std::string huge(16, '\xff');
  EXPECT_FALSE(unpacked(huge, isDamaged));
  EXPECT_TRUE(isDamaged);
}

TEST(CompilerMessages, RequestsRoundTrip) {
  CompileRequest request;
  request.source.path = "a.cu";
  request.source.text = "text\n";
  request.tunables = {{"A", 3}, {"B", -4}};
  request.arch = "compute_90";
  request.relocatable = true;
  request.blockThreads = 96;
  request.instances = {"f<1>", "g<2>"};
  const auto back = requestOf(textsOf(request));
  ASSERT_TRUE(back);
  EXPECT_EQ(textsOf(*back), textsOf(request));
  EXPECT_EQ(back->tunables, request.tunables);
  Texts texts = textsOf(request);
  texts.pop_back();
  EXPECT_FALSE(requestOf(texts));
  for (const char* number : {"-1", "4294967297"}) {
    texts = textsOf(request);
    texts[4] = number;
    EXPECT_FALSE(requestOf(texts)) << number;
  }
  texts = textsOf(request);
  texts[5] = "99999999";
  EXPECT_FALSE(requestOf(texts));
}

TEST(CompilerMessages, AnswersRoundTrip) {
  CompileAnswer made{std::string("ptx"), "log"};
  auto back = answerOf(textsOf(made));
  ASSERT_TRUE(back && back->ptx);
  EXPECT_EQ(*back->ptx, "ptx");
  EXPECT_EQ(back->log, "log");
  Error error = requestError("wrong");
  error.where = TextLocation{"a.cu", 3, 7};
  error.sourceLine = "int x";
  back = answerOf(textsOf(CompileAnswer{error, "log"}));
  ASSERT_TRUE(back && !back->ptx);
  EXPECT_EQ(toString(back->ptx.error()), toString(error));
  EXPECT_EQ(back->ptx.error().kind, ErrorKind::request);
  EXPECT_FALSE(answerOf({"ptx", "text"}));
  EXPECT_FALSE(answerOf({}));
}

}  // namespace tilestep::compile::compiler_messages_test
