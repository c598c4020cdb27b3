// SPDX-License-Identifier: Apache-2.0
#include "compile/host/device_part.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "compile/compiler.h"
#include "compile/text/cuda_lexer.h"
#include "support/source_root.h"

namespace tilestep::compile {
namespace device_part_test {

constexpr const char* kProgram = R"cu(#include <cstdio>
#include <cuda_runtime.h>
#include <stdint.h>
#include <cuda_fp16.h>
#define CHECK(call)                       \
  do {                                    \
    if ((call) != cudaSuccess) exit(1);   \
  } while (0)
#define DEVICE __device__ __forceinline__
using namespace std;

const int kWidth = 32;
typedef struct { float x, y; } Point;
struct __align__(16) Box { Point low, high; };
__constant__ float weights[3] = {1, 2, 3};
std::vector<float> host_data;

DEVICE float twice(float x) { return x + x; }

template <typename T, bool B = (1 > 0)>
__device__ T operator_like(const T& a) { return a; }

struct Plus {
  __device__ float operator()(float a, float b) const { return a + b; }
};

float helper(float x) { return x; }  // __device__ } { "

template <int kBlock>
__global__ void scale(float* P, int n) {
  if (threadIdx.x < n) P[threadIdx.x] = twice(P[threadIdx.x]) * kBlock;
}

namespace tools {
struct Timer { cudaEvent_t start; };
void report(const char* what) { printf("%s } {\n", what); }
__device__ int one() { return 1; }
}

static const char* help = R"(main() { )";

int main(int argc, char** argv) {
#ifdef VERBOSE
  printf("main\n");
#endif
  float* d;
  cudaMalloc(&d, 4);
  scale<256><<<1, 32>>>(d, 32);
  return 0;
}
)cu";

bool has(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

TEST(DevicePart, LeavesOutTheHostAndKeepsTheRest) {
  const DevicePart part = devicePart(kProgram);
  for (const char* kept :
       {"#include <stdint.h>", "#include <cuda_fp16.h>", "#define CHECK(call)", "#define DEVICE",
        "kWidth = 32", "typedef struct { float x, y; } Point;", "struct __align__(16) Box",
        "weights[3] = {1, 2, 3};", "float twice(float x)", "operator_like", "struct Plus",
        "__global__ void scale", "* kBlock;", "namespace tools {", "int one()", "#ifdef VERBOSE",
        "#endif"}) {
    EXPECT_TRUE(has(part.text, kept)) << kept;
  }
  for (const char* gone : {"cstdio", "cuda_runtime", "using namespace std", "host_data", "helper",
                           "report", "Timer", "help", "int main", "cudaMalloc", "<<<"}) {
    EXPECT_FALSE(has(part.text, gone)) << gone;
  }
  ASSERT_EQ(part.functions.size(), 3u);
  EXPECT_EQ(part.functions[0].name, "helper");
  EXPECT_EQ(part.functions[1].name, "report");
  EXPECT_EQ(part.functions[2].name, "main");
}

TEST(DevicePart, LinesAndColumnsStay) {
  const std::string whole = kProgram;
  const DevicePart part = devicePart(whole);
  ASSERT_EQ(part.text.size(), whole.size());
  for (size_t i = 0; i < whole.size(); ++i) {
    if (part.text[i] == whole[i]) continue;
    EXPECT_EQ(part.text[i], ' ') << i;
    EXPECT_NE(whole[i], '\n') << i;
  }
  const size_t at = whole.find("float helper");
  EXPECT_EQ(part.functions[0].line, 1 + std::count(whole.begin(), whole.begin() + at, '\n'));
}

TEST(DevicePart, ATextWithoutHostCodeStaysAsItIs) {
  const std::string plain =
      "#include <cuda_fp16.h>\nfloat forgotten(float x) { return x; }\n"
      "__global__ void f(float* p) { *p = forgotten(1); }\n";
  EXPECT_EQ(devicePart(plain).text, plain);
  const DevicePart less = devicePart(plain, {.isProgram = true, .wrongLines = {}});
  EXPECT_FALSE(has(less.text, "float forgotten")) << less.text;
  ASSERT_EQ(less.functions.size(), 1U);
  EXPECT_EQ(less.functions[0].name, "forgotten");
}

TEST(DevicePart, ConstantsWithTypesThatTheDeviceHasStay) {
  const DevicePart part = devicePart(
      "#include <vector>\nconstexpr std::size_t kCount = 4;\nconst std::uint32_t kBits = 7;\n"
      "constexpr float kMost = std::numeric_limits<float>::max();\n");
  EXPECT_TRUE(has(part.text, "kCount = 4;") && has(part.text, "kBits = 7;")) << part.text;
  EXPECT_FALSE(has(part.text, "kMost")) << part.text;
}

// A kernel file names no file of this machine, however it spells it.
TEST(DevicePart, FilesOfThisMachineAreNotIncluded) {
  for (const std::string include :
       {"#include \"/dev/zero\"", "#include </etc/passwd>", "# /* a */ include \"/dev/zero\"",
        "#include \\\n\"/dev/zero\"", "%:include \"/dev/zero\"",
        "#define Z \"/dev/zero\"\n#include Z", "#include_next <x>", "#inc\\\nlude \"/dev/zero\"",
        "#\\\ninclude \"/dev/zero\"", "#include \"cuda/../../../secret\"",
        "# /* over\n lines */ include \"/dev/zero\""}) {
    const DevicePart part = devicePart(include + "\n__global__ void f() {}\n");
    EXPECT_FALSE(has(part.text, "include")) << include << " gives " << part.text;
    EXPECT_TRUE(has(part.text, "__global__ void f() {}")) << part.text;
  }
}

TEST(DevicePart, BracketsThatDoNotMatchLeaveTheTextAlone) {
  const DevicePart part = devicePart("#include \"/dev/zero\"\nint main() { (");
  EXPECT_EQ(part.text, std::string(20, ' ') + "\nint main() { (");
  for (const std::string broken :
       {"int main() { (", "int main() } {", "int main() { ( } )", "namespace a { int main() {}",
        "#if A\nint main() {\n#else\nint main(int a) {\n#endif\n}\n"}) {
    EXPECT_EQ(devicePart(broken).text, broken);
  }
}

TEST(DevicePart, TellsFunctionsFromWhatLooksLikeThem) {
  const auto keeps = [](const std::string& text) {
    const std::string whole = text + "\nint main() {}\n";
    const std::string part = devicePart(whole).text;
    EXPECT_FALSE(has(part, "main"));
    return part.substr(0, text.size()) == text;
  };
  EXPECT_TRUE(keeps("struct ALIGN(8) Vec { float x, y; };"));
  EXPECT_TRUE(
      keeps("template <class T> struct Sum { T value; __device__ T get() { return value; } };"));
  EXPECT_TRUE(keeps("const float table[2] = {f(1), 2};"));
  EXPECT_TRUE(keeps("struct Options { int count = atoi(\"3\"); };"));
  EXPECT_FALSE(keeps("void (*first)(float*) = scale;"));
  EXPECT_FALSE(keeps("void (*both[2])(float*) = {scale, scale};"));
  EXPECT_TRUE(keeps("using Function = void (*)(float*);"));
  EXPECT_TRUE(keeps("typedef void (*Function)(float*);"));
  EXPECT_TRUE(keeps("constexpr int ceilDiv(int a, int b) { return (a + b - 1) / b; }"));
  EXPECT_TRUE(keeps("__global__ void __launch_bounds__(256) k(int n) { }"));
  EXPECT_TRUE(keeps("extern \"C\" { __global__ void k() { } }"));
  EXPECT_TRUE(keeps("namespace cg = cooperative_groups;"));
  EXPECT_TRUE(keeps("enum class Kind : int { a = (1), b };"));
  EXPECT_TRUE(keeps("__device__ bool operator==(const V& a, const V& b) { return true; }"));
  EXPECT_TRUE(keeps("__device__ void (*table[])(float*) = {first, second};"));
  EXPECT_FALSE(keeps("static inline int half(int x) { return x / 2; }"));
  EXPECT_FALSE(keeps("Foo::Foo(int a) : a_{a}, b_(a) { use(a); }"));
  EXPECT_FALSE(keeps("bool operator<(const V& a, const V& b) { return a.x < b.x; }"));
  EXPECT_FALSE(keeps("static float* device_data = nullptr;"));
  EXPECT_FALSE(keeps("const char* names[] = {\"a\", \"b\"};"));
  EXPECT_FALSE(keeps("struct Options { std::string name; };"));
  EXPECT_FALSE(keeps("using namespace std;\nstruct Options { string name; };"));
  EXPECT_FALSE(keeps("void check(cudaError_t error);"));
}

DevicePart withAllLinesWrong(const std::string& text, bool isProgram) {
  HostSigns signs;
  signs.isProgram = isProgram;
  const auto lines = 1 + static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  for (int line = 1; line <= lines; ++line) signs.wrongLines.insert(line);
  return devicePart(text, signs);
}

/// Of what the compiler finds fault with, that is left out which may be right on the host.
TEST(DevicePart, WhatIsWrongForTheDeviceMayBeRightOnTheHost) {
  const auto keeps = [](const std::string& text, bool isProgram) {
    return withAllLinesWrong(text, isProgram).text == text;
  };
  for (const bool isProgram : {true, false}) {
    for (const char* hosts :
         {"const int grid = ceilDiv(1024, 16);", "const float* const data = new float[16];",
          "const int count{atoi(\"3\")};", "const int count = parse<int>(\"3\");",
          "struct Options { int count = atoi(\"3\"); };"})
      EXPECT_FALSE(keeps(hosts, isProgram)) << hosts;
    for (const char* devices :
         {"static_assert(sizeof(int) == 8, \"\");", "template <class T> const T half = T(0.5);",
          "constexpr int grid = ceilDiv(1024, 16);", "__constant__ int grid = ceilDiv(1024, 16);",
          "struct Sum;\n__device__ Sum* sums;\nstruct Sum { int a = f(); };",
          "#define VEC(n) Vec##n\nstruct Vec3 { float x = f(); };",
          "enum Kind { one = f() };\n__device__ int a = one;"})
      EXPECT_TRUE(keeps(devices, isProgram)) << devices;
  }
  // Only a program has constants of headers that are not read, and types for itself alone.
  for (const char* text : {"const int most = RAND_MAX;", "extern \"C\" const int n = atoi(\"3\");",
                           "const int count(atoi(\"3\"));", "void report(struct timeval* t);",
                           "typedef struct { int count; } Options;\nusing Settings = Options;",
                           "struct Node;\nstruct Node { Node* next; };\ntypedef struct Node Node;"})
    EXPECT_FALSE(keeps(text, true)) << text;
  EXPECT_TRUE(keeps("const flaot wrong = 3;", false));
  EXPECT_TRUE(keeps("struct Wrong { flaot x; };", false));
}

TEST(DevicePart, WhatIsMadeOfTheHostsIsTheHosts) {
  const DevicePart part = withAllLinesWrong(
      "int other = 1, sizes[] = {16, 32};\nconst int kCount = sizeof(sizes) / sizeof(sizes[0]);\n"
      "static_assert(sizeof(sizes) == 8, \"\");\n"
      "__global__ void scale(float* P);\nvoid (*first)(float*) = scale;\n"
      "void (*const both[2])(float*) = {scale, scale};\n"
      "static const struct { const char* name; void (*run)(float*); } table[] = {{\"a\", scale}};\n"
      "__global__ void scale(float* P) { *P = 1; }\n",
      true);
  for (const char* gone : {"sizes", "kCount", "static_assert", "first", "both", "table"})
    EXPECT_FALSE(has(part.text, gone)) << gone << " in " << part.text;
  EXPECT_TRUE(part.values.contains("kCount"));
}

/// With which the compiler finds no fault, and on lines of others: they stay.
TEST(DevicePart, OnlyWhatIsWrongIsLeftOutOfConstantsAndTypes) {
  const std::string text =
      "const int right = f(1);\nconst int wrong = f(2);\nstruct Right { int a = f(1); };\n"
      "int main() {}\n";
  const DevicePart part = devicePart(text, {.isProgram = false, .wrongLines = {2}});
  EXPECT_TRUE(has(part.text, "right = f(1);") && has(part.text, "struct Right")) << part.text;
  EXPECT_FALSE(has(part.text, "wrong"));
}

TEST(DevicePart, NothingEndsInsideBrackets) {
  for (const std::string text :
       {"struct A [ ; ]", "typedef struct A [ ; ] ( ; )", "using B = ( ; ) [ ; ]",
        "int operator [ a ; ] ( ) ;", "const int a ( ; ) = [ ; ] { ; }"}) {
    for (const bool isProgram : {true, false}) {
      const DevicePart part = withAllLinesWrong(text, isProgram);
      EXPECT_EQ(part.text.size(), text.size());
    }
  }
}

/// Any text: no crash, the same length, the same lines, and nothing new.
void expectBlanksOnly(const std::string& text) {
  for (const DevicePart& part :
       {devicePart(text), withAllLinesWrong(text, true), withAllLinesWrong(text, false)}) {
    ASSERT_EQ(part.text.size(), text.size());
    for (size_t i = 0; i < text.size(); ++i)
      ASSERT_TRUE(part.text[i] == text[i] || (part.text[i] == ' ' && text[i] != '\n'));
  }
}

TEST(DevicePart, TakesAnyText) {
  const std::string pieces[] = {"{",       "}",       "(",          ")",     "<",    ">",
                                "\"",      "'",       "R\"(",       ")\"",   "//",   "/*",
                                "*/",      "#if A\n", "#include <", "\\\n",  "\n",   "template",
                                "struct ", "main(",   "__global__", "std::", "=",    "operator",
                                ";",       "<<<",     ">>>",        "0x1'",  "\xff", "namespace a"};
  std::mt19937 random(20260401);
  const std::string whole = kProgram;
  for (int round = 0; round < 3000; ++round) {
    std::string text = round % 2 ? whole : "int main() {}\n";
    for (int change = 0; change < 12; ++change) {
      const size_t at = random() % (text.size() + 1);
      const std::string& piece = pieces[random() % std::size(pieces)];
      if (random() % 3 == 0 && at < text.size()) {
        text.erase(at, random() % 20);
      } else {
        text.insert(at, piece);
      }
    }
    expectBlanksOnly(text);
  }
}

// A text of a mebibyte, the most that a kernel may have, in shapes that invite quadratic time.
TEST(DevicePart, LongTextsTakeLinearTime) {
  for (const char* piece : {"f(){}", "{}", "R\"", "template<", "#define a __device__\n",
                            "operator(", "/*", "struct A(", "'", "namespace a{}", "x\\\n"}) {
    std::string text = "int main() {}\n";
    while (text.size() < (size_t{1} << 20)) text += piece;
    expectBlanksOnly(text);
  }
}

TEST(DevicePart, AProgramIsTakenAsItIs) {
  for (const char* compiler : {"nvrtc", "clang"}) {
    CompileService service({support::sourceRoot(), "", compiler});
    if (!service.description()) continue;
    CompileRequest request;
    std::string text = kProgram;
    // What clang finds no header of ours for.
    text.replace(text.find("#include <cuda_fp16.h>"), 22, "");
    request.source = {"kernels/program.cu", text,
                      "entry = \"scale<WIDTH>\"\n[tunable.WIDTH]\ndefault = 64\nvalues = [64]\n"
                      "[launch]\nblock = 32\ngrid = 1\n[[operand]]\nname = \"P\"\nextent = 32\n"
                      "direction = \"inout\"\n[[operand]]\nname = \"n\"\nkind = \"scalar\"\n"
                      "value = 32\n"};
    request.tunables["WIDTH"] = 64;
    const auto made = service.compile(request);
    ASSERT_TRUE(made.ok()) << compiler << ": " << toString(made.error());
    EXPECT_NE((*made)->module->find("scale_WIDTH"), nullptr) << (*made)->ptx;
  }
}

TEST(DevicePart, AFunctionOfTheHostThatDeviceCodeCallsIsNamed) {
  for (const char* compiler : {"nvrtc", "clang"}) {
    CompileService service({support::sourceRoot(), "", compiler});
    if (!service.description()) continue;
    CompileRequest request;
    request.source = {"kernels/program.cu",
                      "#include <cstdio>\nfloat twice(float x) { return x + x; }\n"
                      "__global__ void f(float* p) { *p = twice(*p); }\n",
                      ""};
    const auto made = service.compile(request);
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().where->line, 3) << toString(made.error());
    EXPECT_TRUE(has(made.error().message, "line 2 has a twice for the host alone"))
        << toString(made.error());
  }
}

TEST(CudaLexer, CutsWhatCppHas) {
  const auto tokens = cudaTokens(
      "a1 += 0x1'0p-3f; f<<<1, 2>>>(\"a\\\"b\", 'x', R\"d()\" )d\")\n"
      "  # define A \\\n  1 // no\nns::b /* ; */ c");
  std::vector<std::string> words;
  for (const CudaToken& token : tokens) words.emplace_back(token.text);
  EXPECT_EQ(words, (std::vector<std::string>{"a1",
                                             "+",
                                             "=",
                                             "0x1'0p-3f",
                                             ";",
                                             "f",
                                             "<<<",
                                             "1",
                                             ",",
                                             "2",
                                             ">>>",
                                             "(",
                                             "\"a\\\"b\"",
                                             ",",
                                             "'x'",
                                             ",",
                                             "R\"d()\" )d\"",
                                             ")",
                                             "# define A \\\n  1 ",
                                             "ns",
                                             "::",
                                             "b",
                                             "c"}));
}

}  // namespace device_part_test
}  // namespace tilestep::compile
