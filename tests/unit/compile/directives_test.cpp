// SPDX-License-Identifier: Apache-2.0
#include "compile/text/directives.h"

#include <gtest/gtest.h>

#include <string>

namespace tilestep::compile {
namespace directives_test {

/// The line that is refused; 0 where the text is taken.
int refusedLine(const std::string& text) {
  const Status checked = checkDirectives(text, "a.cu");
  if (checked) return 0;
  EXPECT_EQ(checked.error().kind, ErrorKind::request);
  EXPECT_TRUE(checked.error().where) << checked.error().message;
  if (!checked.error().where) return -1;
  EXPECT_EQ(checked.error().where->file, "a.cu");
  return checked.error().where->line;
}

TEST(Directives, WhatDeviceCodeNeedsIsTaken) {
  for (const char* text : {
           "",
           "#",
           "#\n",
           "# // nothing\n",
           "#include <cuda_fp16.h>\n",
           "#include \"cuda_fp16.h\"\n",
           "  #  include /* why */ <cstdint> // types\n",
           "#include <cooperative_groups/reduce.h>\n",
           "#define A(x) #x\n#pragma unroll 4\n",
           "#if defined(A) && \\\n  B\n#elif 1\n#endif\n",
           "#ifdef A\nint a; // don't\n#endif\n",
           "#define S R\"(\"#include\")\"\n",
       })
    EXPECT_EQ(refusedLine(text), 0) << text;
}

TEST(Directives, FilesOfThisMachineAreRefusedWhereverTheyStand) {
  EXPECT_EQ(refusedLine("#include \"/etc/passwd\"\n"), 1);
  EXPECT_EQ(refusedLine("#include <cstdio>\n"), 1);
  EXPECT_EQ(refusedLine("__global__ void k() {\n  const char* s =\n#include \"/tmp/secret\"\n;}\n"),
            3);
  EXPECT_EQ(refusedLine("#include /*<cstdint>*/ \"/tmp/secret\"\n"), 1);
  EXPECT_EQ(refusedLine("#include /\\\n*<cstdint>*/ \"/tmp/secret\"\n"), 1);
  EXPECT_EQ(refusedLine("int q;\r#include \"/tmp/secret\"\n"), 2);
  EXPECT_EQ(refusedLine("// x\r#include \"/tmp/secret\"\n"), 2);
  EXPECT_EQ(refusedLine("\r\n\r\n%:include \"/tmp/secret\"\r\n"), 3);
  EXPECT_EQ(refusedLine("#in\\\nclude \"/tmp/secret\"\n"), 1);
  EXPECT_EQ(refusedLine("#in\\ \t\r\nclude \"/tmp/secret\"\n"), 1);
  EXPECT_EQ(refusedLine("/* a\n b */ #include \"x\"\n"), 2);
  EXPECT_EQ(refusedLine("?"
                        "?=include \"/tmp/secret\"\n"),
            1);
  EXPECT_EQ(refusedLine("#include <cuda/../../../etc/passwd>\n"), 1);
  EXPECT_EQ(refusedLine("#define F \"/etc/passwd\"\n#include F\n"), 2);
  EXPECT_EQ(refusedLine("#include_next <cuda_fp16.h>\n"), 1);
  EXPECT_EQ(refusedLine("#import <cuda_fp16.h>\n"), 1);
  EXPECT_EQ(refusedLine("int a[] = {\n#embed \"/etc/passwd\"\n};\n"), 2);
}

TEST(Directives, NobodyIsToldWhichFilesThereAre) {
  EXPECT_EQ(refusedLine("#if __has_include(\"/etc/passwd\")\n#endif\n"), 1);
  EXPECT_EQ(refusedLine("\n#if 1 && __has_em\\\nbed(\"/etc/passwd\")\n#endif\n"), 2);
  EXPECT_EQ(refusedLine("#define HAS __has_include\n"), 1);
  EXPECT_EQ(refusedLine("#pragma GCC dependency \"/etc/passwd\"\n"), 1);
}

TEST(Directives, NoTextNamesItsLinesAfterAnotherFile) {
  EXPECT_EQ(refusedLine("#line 1 \"other.cu\"\n"), 1);
  EXPECT_EQ(refusedLine("# 1 \"other.cu\"\n"), 1);
}

TEST(Directives, TextInLiteralsAndCommentsIsNoDirective) {
  EXPECT_EQ(refusedLine("const char* s = \"\\\n#include <cstdio>\";\n"), 0);
  EXPECT_EQ(refusedLine("const char* s = R\"(\n#include <cstdio>\n)\";\n"), 0);
  EXPECT_EQ(refusedLine("/*\n#include <cstdio>\n*/\n"), 0);
  EXPECT_EQ(refusedLine("// \\\n#include <cstdio>\n"), 0);
  EXPECT_EQ(refusedLine("int a = 1 #include <cstdio>\n"), 0);
  EXPECT_EQ(refusedLine("int n = 1'000'000;\nchar c = '\"';\n"), 0);
}

/// Each of these texts has the reader take something for a comment or a string that is none, if it
/// is careless.
TEST(Directives, WhatLooksLikeACommentHidesNothing) {
  const std::string bad = "\n#include \"/tmp/secret\"\n";
  EXPECT_EQ(refusedLine("const char* s = \"/*\";" + bad), 2);
  EXPECT_EQ(refusedLine("char c = '\"'; /* \" */" + bad), 2);
  EXPECT_EQ(refusedLine("int n = 1'0/*'*/;" + bad), 2);
  EXPECT_EQ(refusedLine("const char* s = R\"x( )\\\nx\" /* )x\";" + bad), 3);
  EXPECT_EQ(refusedLine("const char* s = R\"(\\)\"; // /*" + bad), 2);
  EXPECT_EQ(refusedLine("const char* s = fooR\"(/*\";" + bad), 2);
  EXPECT_EQ(refusedLine("#if 0\ndon't /* */\n#endif" + bad), 4);
  EXPECT_EQ(refusedLine("#include <cstdint/*>" + bad), 1);
  EXPECT_EQ(refusedLine("#include \"cuda_fp16.h\\\" /*\"" + bad), 1);
  EXPECT_EQ(refusedLine("#define A \"/*" + bad), 2);
  EXPECT_EQ(refusedLine("#define A 'b/*" + bad), 2);
  EXPECT_NE(refusedLine("#define A R\"(\n)\"" + bad), 0);
}

/// A reader that looks ahead from each sign to the end of the lines it joins would not end here.
TEST(Directives, ManyJoinedLinesAreReadOnce) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "\\\n/";
  EXPECT_EQ(refusedLine(text + "\n#include \"x\"\n"), 200'002);
}

}  // namespace directives_test
}  // namespace tilestep::compile
