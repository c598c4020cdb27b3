// SPDX-License-Identifier: Apache-2.0
#include "compile/text/directives.h"

#include <gtest/gtest.h>

#include <string>

#include "compile/text/plain_lines.h"

namespace tilestep::compile::directives_test {

TEST(PlainLines, AreReadTheSameWayByAllCompilers) {
  EXPECT_EQ(withPlainLines("#define A \\ \t\n  1\n"), "#define A \\\n  1\n");
  EXPECT_EQ(withPlainLines("a\r\r\nb\r\nc"), "a\nb\nc");
  EXPECT_EQ(withPlainLines("//  /\\_/\\ \n\n"), "//  /\\_/\\\n\n");
  EXPECT_EQ(withPlainLines("int x;  \n \\"), "int x;  \n \\") << "other blanks stay";
  EXPECT_EQ(withPlainLines("a\rb\n"), "a\rb\n") << "some compilers end a line here";
  EXPECT_EQ(withPlainLines(""), "");
}

/// The line at which the text is refused; 0 if it is accepted.
int refusedLine(const std::string& text) {
  const Status checked = checkDirectives(text, "a.cu");
  if (checked) return 0;
  EXPECT_EQ(checked.error().kind, ErrorKind::request);
  EXPECT_TRUE(checked.error().where) << checked.error().message;
  if (!checked.error().where) return -1;
  EXPECT_EQ(checked.error().where->file, "a.cu");
  return checked.error().where->line;
}

TEST(Directives, CompilerHeadersLiteralsAndCommentsAreAccepted) {
  for (const char* text : {
           "",
           "#",
           "#\n",
           "# // nothing\n",
           "#include <cuda_fp16.h>\n",
           "#include \"cuda_fp16.h\"\n",
           "  #  include /* why */ <cstdint> // types\n",
           "#include <cooperative_groups/reduce.h>\n",
           "#include <cstdio>\n#include \"helper.h\"\n",
           "#define A(x) #x\n#pragma unroll 4\n",
           "#if defined(A) && \\\n  B\n#elif 1\n#endif\n",
           "#ifdef A\nint a; // don't\n#endif\n",
           "#define S R\"(\"#include\")\"\n",
       })
    EXPECT_EQ(refusedLine(text), 0) << text;
  EXPECT_EQ(refusedLine("const char* s = \"\\\n#include </x>\";\n"), 0);
  EXPECT_EQ(refusedLine("const char* s = R\"(\n#include </x>\n)\";\n"), 0);
  EXPECT_EQ(refusedLine("/*\n#include </x>\n*/\n"), 0);
  EXPECT_EQ(refusedLine("// \\\n#include </x>\n"), 0);
  EXPECT_EQ(refusedLine("int a = 1 #include </x>\n"), 0);
  EXPECT_EQ(refusedLine("int n = 1'000'000;\nchar c = '\"';\n"), 0);
}

TEST(Directives, EveryFormOfIncludingALocalFileIsRefused) {
  EXPECT_EQ(refusedLine("#include \"/etc/passwd\"\n"), 1);
  EXPECT_EQ(refusedLine("#include \"../secret.h\"\n"), 1);
  EXPECT_EQ(refusedLine("__global__ void k() {\n  const char* s =\n#include \"/tmp/secret\"\n;}\n"),
            3);
  EXPECT_EQ(refusedLine("#include /*<cstdint>*/ \"/tmp/secret\"\n"), 1);
  EXPECT_EQ(refusedLine("#include /\\\n*<cstdint>*/ \"/tmp/secret\"\n"), 1);
  EXPECT_EQ(refusedLine("int q;\r#include \"/tmp/secret\"\n"), 1);
  EXPECT_EQ(refusedLine("// x\r#include \"/tmp/secret\"\n"), 1);
  EXPECT_EQ(refusedLine("\r\n\r\n%:include \"/tmp/secret\"\r\n"), 3);
  EXPECT_EQ(refusedLine("#in\\\nclude \"/tmp/secret\"\n"), 1);
  EXPECT_EQ(refusedLine("#in\\ \t\r\nclude \"/tmp/secret\"\n"), 1);
  EXPECT_EQ(refusedLine("/* a\n b */ #include \"/x\"\n"), 2);
  EXPECT_EQ(refusedLine("?"
                        "?=include \"/tmp/secret\"\n"),
            1);
  EXPECT_EQ(refusedLine("#include <cuda/../../../etc/passwd>\n"), 1);
  EXPECT_EQ(refusedLine("#define F \"/etc/passwd\"\n#include F\n"), 2);
  EXPECT_EQ(refusedLine("#include <cuda_fp16.h\"\n"), 1);
  EXPECT_EQ(refusedLine("#include_next <cuda_fp16.h>\n"), 1);
  EXPECT_EQ(refusedLine("#import <cuda_fp16.h>\n"), 1);
  EXPECT_EQ(refusedLine("int a[] = {\n#embed \"/etc/passwd\"\n};\n"), 2);
  EXPECT_EQ(refusedLine("#if __has_include(\"/etc/passwd\")\n#endif\n"), 1);
  EXPECT_EQ(refusedLine("\n#if 1 && __has_em\\\nbed(\"/etc/passwd\")\n#endif\n"), 2);
  EXPECT_EQ(refusedLine("#define HAS __has_include\n"), 1);
  EXPECT_EQ(refusedLine("#pragma GCC dependency \"/etc/passwd\"\n"), 1);
  EXPECT_EQ(refusedLine("\n#pragma clang module build foo\nextern module bar \"/etc/shadow\"\n"),
            2);
  EXPECT_EQ(refusedLine("_Pragma(\"clang module build foo\")\n"), 1);
  EXPECT_EQ(refusedLine("#line 1 \"other.cu\"\n"), 1);
  EXPECT_EQ(refusedLine("# 1 \"other.cu\"\n"), 1);
  EXPECT_EQ(refusedLine("\n_Pragma(\"GCC dependency \\\"/etc/passwd\\\"\")\n"), 2);
  EXPECT_EQ(refusedLine("_Pragma(R\"(clang dependency \"/etc/passwd\")\")\n"), 1);
  EXPECT_EQ(refusedLine("#define P(x) _Pragma(#x)\nP(GCC dependency \"/etc/passwd\")\n"), 2);
  EXPECT_EQ(refusedLine("_Pragma(\"unroll\")\nconst char* s = \"a data dependency\";\n"), 0);
}

/// In each of these texts, a careless reader sees a comment or a string where there is none.
TEST(Directives, TextThatLooksLikeACommentHidesNoDirective) {
  const std::string bad = "\n#include \"/tmp/secret\"\n";
  EXPECT_EQ(refusedLine("const char* s = \"/*\";" + bad), 2);
  EXPECT_EQ(refusedLine("char c = '\"'; /* \" */" + bad), 2);
  EXPECT_EQ(refusedLine("int n = 1'0/*'*/;" + bad), 2);
  EXPECT_EQ(refusedLine("const char* s = R\"x( )\\\nx\" /* )x\";" + bad), 3);
  EXPECT_EQ(refusedLine("const char* s = R\"(\\)\"; // /*" + bad), 2);
  EXPECT_EQ(refusedLine("const char* s = fooR\"(/*\";" + bad), 1);
  EXPECT_EQ(refusedLine("#if 0\ndon't /* */\n#endif" + bad), 4);
  EXPECT_EQ(refusedLine("#include <cstdint/*>" + bad), 1);
  EXPECT_EQ(refusedLine("#include \"cuda_fp16.h\\\" /*\"" + bad), 1);
  EXPECT_EQ(refusedLine("#define A \"/*" + bad), 2);
  EXPECT_EQ(refusedLine("#define A 'b/*" + bad), 2);
  EXPECT_NE(refusedLine("#define A R\"(\n)\"" + bad), 0);
}

/// Text that only some compilers treat as a comment, a literal or a joined line could hide a
/// directive from this reader. Each of these texts makes some compiler read /tmp/secret.
TEST(Directives, TextThatCompilersReadDifferentlyIsRefused) {
  const std::string bad = "\n#include \"/tmp/secret\"\n";
  // Clang joins all of these lines; NVRTC does not.
  EXPECT_EQ(refusedLine("#inc\\\n\rlude \"/tmp/secret\"\n"), 2);
  EXPECT_EQ(refusedLine("// a \\ " + bad), 1);
  EXPECT_EQ(refusedLine("#define A \"x\\\t" + bad), 1);
  // NVRTC joins the R to the token before it.
  EXPECT_EQ(refusedLine("#define A 1e+R\"(" + bad + ")\"\n"), 1);
  EXPECT_EQ(refusedLine("auto a = 0x1p-R\"(" + bad + ")\";\n"), 1);
  EXPECT_EQ(refusedLine("auto a = \"a\"R\"(" + bad + ")\";\n"), 1);
  EXPECT_EQ(refusedLine("auto a = 'a'R\"(" + bad + ")\";\n"), 1);
  EXPECT_EQ(refusedLine("auto a = 1''R\"(" + bad + ")\";\n"), 1);
  EXPECT_EQ(refusedLine("int a = 1'\"'/*" + bad + "*/;\n"), 1);
  // Clang treats these characters as blanks or letters, or ignores them.
  EXPECT_EQ(refusedLine("\xc2\xa0#include \"/tmp/secret\"\n"), 1);
  EXPECT_EQ(refusedLine("#\xe2\x80\x83include \"/tmp/secret\"\n"), 1);
  EXPECT_EQ(refusedLine("\xa0#include \"/tmp/secret\"\n"), 1);
  EXPECT_EQ(refusedLine("auto a = \xc3\xa4R\"(\"; /* )\";" + bad + "//*/\n"), 1);
  EXPECT_EQ(refusedLine("auto a = $R\"(\"; /* )\";" + bad + "//*/\n"), 1);
  // Clang skips the second part of a conflict marker, and with it the start of a comment.
  EXPECT_EQ(refusedLine("<<<<<<< a\n=======\n/*\n>>>>>>> b" + bad + "/* */\n"), 1);
  EXPECT_EQ(refusedLine("int a;\n>>>> a\n====\n/*\n<<<<" + bad + "/* */\n"), 2);
  // If a delimiter is invalid, clang searches for the next quote, even on later lines.
  EXPECT_EQ(refusedLine("auto a = R\"a b(\n/* \"" + bad + "*/\n"), 1);
  EXPECT_EQ(refusedLine("auto a = R\"\"( /* )\"\"" + bad + "*/\n"), 1);
  EXPECT_EQ(refusedLine("auto a = R\"(" + bad), 1);
  // For clang, the text of #warning ends with its line. NVRTC starts a new line after a comment.
  EXPECT_EQ(refusedLine("#warning x /*" + bad + "*/\n"), 1);
  EXPECT_EQ(refusedLine("int a; /*\n*/ #include \"/tmp/secret\"\n"), 2);
  EXPECT_EQ(refusedLine("?"
                        "?/" +
                        bad),
            1);
}

TEST(Directives, TextThatCompilersReadTheSameWayIsAccepted) {
  for (const char* text : {
           "// gr\xc3\xb6\xc3\x9f"
           "e $\nconst char* s = \"\xc3\xa4 $\";\n",
           "/* \\ \n a \\ \n*/ int a;\n",
           "#error gr\xc3\xb6\xc3\x9f"
           "er: don't\n#warning // x\n",
           "printf(\"%\" PRIu64 \"%\"PRId64\"\\n\");\n",
           "auto a = x << 3 >>> 1; // <<<<<<< a\n",
           "float a = 1e+3f, b = 0x1p-3, c = 1'000.5;\n",
           "auto s = LR\"x(a)x\" u8R\"(b)\";\n",
           "#define A(x, y) x##y\n#define B _Pragma(\"unroll\")\n",
           "int dependency = 1;\n#define B(x) _Pragma(#x)\n",
       })
    EXPECT_EQ(refusedLine(text), 0) << text;
}

TEST(Directives, NamesPastedByMacrosAreRefused) {
  const std::string paste = "#define A(x, y) x##y\n";
  EXPECT_EQ(refusedLine(paste + "#if A(__has_, include)(\"/etc/passwd\")\n#endif\n"), 1);
  EXPECT_EQ(refusedLine("\n#define A(x, y) x%:%:y\n#define H A(__ha, s_embed)\n"), 2);
  EXPECT_EQ(refusedLine(paste + "A(_Prag, ma)(\"GCC dependency \\\"x\\\"\")\n"), 1);
  EXPECT_EQ(refusedLine(paste + "#define P(x) _Pragma(#x)\nP(GCC A(depend, ency) \"x\")\n"), 1);
  EXPECT_EQ(refusedLine(paste + "int A(has_, include);\n"), 0);
}

/// A reader that scans from each character to the end of the joined lines would take far too long.
TEST(Directives, ManyJoinedLinesAreReadOnce) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "\\\n/";
  EXPECT_EQ(refusedLine(text + "\n#include \"/x\"\n"), 200'002);
}

}  // namespace tilestep::compile::directives_test
