// SPDX-License-Identifier: Apache-2.0
#include "compile/text/draft.h"

#include <gtest/gtest.h>

#include <random>

#include "compile/kernel.h"
#include "compile/text/cuda_lexer.h"
#include "compile/text/launched_kernel.h"

namespace tilestep::compile {
namespace draft_test {

/// The draft, read as front matter. A draft that does not parse fails the test.
KernelSpec specOf(const std::string& program) {
  const Result<std::string> draft = draftFrontMatter(program);
  EXPECT_TRUE(draft) << toString(draft.error());
  if (!draft) return {};
  const Result<KernelSpec> spec = parseKernel({"my.cu", program, *draft});
  EXPECT_TRUE(spec) << *draft << toString(spec.error());
  return spec ? *spec : KernelSpec{};
}

std::string draftOf(const std::string& program) {
  const Result<std::string> draft = draftFrontMatter(program);
  return draft ? *draft : toString(draft.error());
}

const char* const kProduct = R"cu(
#include <stdio.h>
#define TILE 8
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int ph = 0; ph < (K + TILE - 1) / TILE; ++ph) {
    a[threadIdx.y][threadIdx.x] = 0;
    if (row < M && ph * TILE + threadIdx.x < K) sum += A[row * K + ph * TILE + threadIdx.x];
    if (ph * TILE + threadIdx.y < K && col < N) sum += B[(ph * TILE + threadIdx.y) * N + col];
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
int main() {
  dim3 block(TILE, TILE);
  dim3 grid(5, (100 + TILE - 1) / TILE);
  product<<<grid, block>>>(a, b, c, 100, 40, 30);
}
)cu";

TEST(Draft, AConstantOfTwoBranchesIsOneOperandAndAHiddenOneIsNone) {
  const KernelSpec both = specOf(
      "#ifdef A\n__constant__ float f[25];\n#else\n__constant__ float f[9];\n#endif\n"
      "__global__ void k(float* a, int n) { a[n] = f[0]; }");
  ASSERT_EQ(both.operands.size(), 3U);
  EXPECT_EQ(both.operands.back().extent, "25");
  const KernelSpec hidden =
      specOf("__constant__ float f[25];\n__global__ void k(float* a, float f) { a[0] = f; }");
  EXPECT_EQ(hidden.operands.size(), 2U);
}

TEST(Draft, ANameThatFrontMatterDoesNotTakeIsRefused) {
  for (const char* program :
       {"__global__ void k(float* gr\xc3\xb6sse, int n) { gr\xc3\xb6sse[n] = 1; }",
        "__global__ void k(float* a\xff, int n) { a\xff[n] = 1; }",
        "__global__ void \xff(float* a, int n) { a[n] = 1; }",
        "__global__ void a$b(float* a, int n) { a[n] = 1; }",
        "template <int T> __global__ void k(float* a, int n) { a[n] = T; }\n"
        "int main() { k<\xff\xff><<<1, 2>>>(a, 2); }",
        "template <int T> __global__ void k(float* a, int n) { a[n] = T; }\n"
        "int main() { k<kTile\xc6\xc6><<<1, 2>>>(a, 2); }"})
    EXPECT_NE(draftOf(program).find("does not take"), std::string::npos) << draftOf(program);
  const std::string longName(65, 'k');
  for (const std::string& program :
       {"__global__ void " + longName + "(float* a, int n) { a[n] = 1; }",
        "__global__ void k(float* a, int " + longName + ") { a[" + longName + "] = 1; }",
        std::string("__global__ void k(float* a, int min) { a[min] = 1; }")})
    EXPECT_NE(draftOf(program).find("front matter does not take its names"), std::string::npos)
        << draftOf(program);
  EXPECT_EQ(specOf("// gr\xf6\xdf"
                   "e\n__global__ void k(float* a, int n) { a[n] = 1; }")
                .entry,
            "k");
}

TEST(Draft, AProductWithItsGuards) {
  EXPECT_EQ(
      draftOf(kProduct),
      R"toml(# A draft: read every line, above all the sizes of the operands (docs/kernels.md).
title = "product"
entry = "product"
sizes = { M = 100, N = 40, K = 30 }
# reference = "matmul"  # where it is a product, "sum" where it is a sum: --check compares with float64

[launch]
block = [8, 8]
grid = ["ceildiv(N, 8)", "ceildiv(M, 8)"]

[[operand]]
name = "A"
rows = "M"
columns = "K"

[[operand]]
name = "B"
rows = "K"
columns = "N"

[[operand]]
name = "C"
rows = "M"
columns = "N"
direction = "out"

[[operand]]
name = "M"
kind = "scalar"

[[operand]]
name = "N"
kind = "scalar"

[[operand]]
name = "K"
kind = "scalar"
)toml");
  const KernelSpec spec = specOf(kProduct);
  EXPECT_EQ(spec.operands.size(), 6U);
}

TEST(Draft, AVectorWithGuessesMarked) {
  const std::string program =
      "__global__ void axpy(float a, const double* __restrict__ x, double* y, unsigned n) {\n"
      "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) y[i] += a * x[i];\n}\n"
      "void run() { axpy<<<(n + 127) / 128, 128>>>(2, x, y, n); }";
  const std::string draft = draftOf(program);
  EXPECT_NE(draft.find("block = [128]\ngrid = [\"ceildiv(n, 128)\"]"), std::string::npos) << draft;
  EXPECT_NE(draft.find("name = \"y\"\ntype = \"f64\"\nextent = \"n\"\ndirection = \"inout\"\n"),
            std::string::npos)
      << draft;
  EXPECT_NE(draft.find("value = 2  # as launched"), std::string::npos);
  EXPECT_NE(draft.find("name = \"n\"\nkind = \"scalar\"\ntype = \"u32\"\n"), std::string::npos);
  specOf(program);
}

TEST(Draft, WhatIsNotWrittenOutIsSaid) {
  const std::string program =
      "template <typename T, int kSize> __global__ __launch_bounds__(256) void f(T* p) {}\n"
      "extern __shared__ char s[];\n"
      "__global__ void g(int* p) { extern __shared__ int t[]; p[blockIdx.x] = t[threadIdx.x]; }\n";
  const std::string first = draftOf(program);
  EXPECT_NE(first.find("entry = \"f<float, 1>\"  # no launch shows"), std::string::npos) << first;
  const Result<std::string> second = draftFrontMatter(program, "g");
  ASSERT_TRUE(second);
  EXPECT_NE(second->find("block = [256]  # the launch's shape was not found"), std::string::npos);
  EXPECT_NE(second->find("dynamic_shared_bytes = 1024  # a guess"), std::string::npos) << *second;
  EXPECT_NE(second->find(
                "# This file has f (line 1) and g (line 3); this is g (--entry NAME chooses).\n"),
            std::string::npos);
  EXPECT_NE(second->find("extent = \"n\"  # a guess"), std::string::npos);
  EXPECT_TRUE(parseKernel({"my.cu", program, *second}));
}

TEST(Draft, TheFirstLaunchedKernelAndItsInstance) {
  const std::string program =
      "__global__ void unused(int* p) {}\n"
      "template <int kBlock> __global__ void sum(const float* in, float* out, int n) {\n"
      "  int i = blockIdx.x * kBlock + threadIdx.x; if (i < n) atomicAdd(&out[0], in[i]);\n}\n"
      "int main() { const int threads = 64; sum<64><<<10, threads>>>(a, b, 640); }\n";
  const KernelSpec spec = specOf(program);
  EXPECT_EQ(spec.entry, "sum<64>");
  EXPECT_EQ(spec.sizes.at("n"), 640);
  EXPECT_EQ(spec.operands[1].direction, Direction::inout);
  EXPECT_NE(draftOf(program).find("block = [64]"), std::string::npos);
}

TEST(Draft, TheLaunchIsTakenAsItIsWithItsBugs) {
  const auto launched = [](const std::string& host) {
    return draftOf(
        "#define TILE 32\n"
        "__global__ void f(float* p, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = 1; }\n" +
        host);
  };
  EXPECT_NE(launched("int main() { int n = 1000; f<<<n / 256, 256>>>(p, n); }")
                .find("sizes = { n = 1000 }\n\n[launch]\nblock = [256]\n"
                      "grid = [\"floordiv(n, 256)\"]\n"),
            std::string::npos);
  EXPECT_NE(launched("int main() { dim3 b(TILE * 4, TILE * 4); f<<<1, b>>>(p, 64); }")
                .find("block = [128, 128]\ngrid = [1]\n"),
            std::string::npos);
  EXPECT_NE(launched("int main() { f<<<7, 64>>>(p, 64); }").find("grid = [7]"), std::string::npos);
  EXPECT_NE(launched("void g(int b) { f<<<b, 64>>>(p, 64); }").find("# a guess: the launch's grid"),
            std::string::npos);
}

TEST(Draft, AnExtentIsWhatTheHostAllocates) {
  const std::string program =
      "const int kBlocks = 8;\n"
      "__global__ void dot(const float* a, float* parts, int* hits, int n) {\n"
      "  int i = blockIdx.x * 64 + threadIdx.x;\n"
      "  if (i < n) parts[blockIdx.x] += a[i]; if (i == 0) *hits = 1; atomicAdd(hits, 1); }\n"
      "int main() { float *x, *y; int* z; int n = 33 * 16;\n"
      "  cudaMalloc(&x, n * sizeof(float)); cudaMalloc((void**)&y, kBlocks * sizeof(float));\n"
      "  cudaMalloc(&z, sizeof(int)); dot<<<kBlocks, 64>>>(x, y, z, n); }\n";
  const KernelSpec spec = specOf(program);
  const std::string draft = draftOf(program);
  EXPECT_NE(draft.find("name = \"a\"\nextent = \"n\"\n"), std::string::npos) << draft;
  EXPECT_NE(draft.find("extent = 8  # as allocated\ndirection = \"inout\""), std::string::npos)
      << draft;
  EXPECT_NE(draft.find("type = \"i32\"\nextent = 1\ndirection = \"inout\""), std::string::npos)
      << draft;
  EXPECT_EQ(spec.sizes.at("n"), 528);
}

TEST(Draft, ATemplatesTypesAreThoseOfItsInstance) {
  const std::string program =
      "template <typename T, int kBlock = 64> __global__ void fill(T* p, T value, int n) {\n"
      "  int i = blockIdx.x * kBlock + threadIdx.x; if (i < n) p[i] = value; }\n"
      "int main() { fill<double, 32><<<4, 32>>>(p, 2.5, 128); }\n";
  const KernelSpec spec = specOf(program);
  EXPECT_EQ(spec.entry, "fill<double,32>");
  EXPECT_EQ(spec.operands[0].type, ElementType::f64);
  EXPECT_EQ(spec.operands[1].type, ElementType::f64);
  EXPECT_EQ(spec.operands[1].value, "2.5");
  const Result<std::string> other = draftFrontMatter(program, "fill<char, 16>");
  ASSERT_TRUE(other) << toString(other.error());
  EXPECT_NE(other->find("entry = \"fill<char, 16>\""), std::string::npos) << *other;
  EXPECT_NE(other->find("name = \"p\"\ntype = \"i8\""), std::string::npos) << *other;
  EXPECT_NE(other->find("value = 1  # a guess"), std::string::npos) << "2.5 is not a whole number";
}

TEST(Draft, ConstantVariablesThatTheKernelNamesAreOperands) {
  const std::string program =
      "#define R 2\nstruct Pair { int a, b; };\n"
      "__constant__ float weights[2 * R + 1][3], bias;\n__constant__ int unused[4];\n"
      "__constant__ Pair pair;\n"
      "__global__ void blur(const float* x, float* y, int n) {\n"
      "  int i = threadIdx.x; if (i < n) y[i] = x[i] * weights[0][1] + bias + pair.a; }\n";
  const KernelSpec spec = specOf(program);
  ASSERT_EQ(spec.operands.size(), 5U);
  EXPECT_EQ(spec.operands[3].name, "weights");
  EXPECT_EQ(spec.operands[3].kind, OperandKind::symbol);
  EXPECT_EQ(spec.operands[3].extent, "15");
  EXPECT_EQ(spec.operands[4].name, "bias");
  EXPECT_NE(draftOf(program).find("# The __constant__ variable pair of type Pair stays"),
            std::string::npos);
}

TEST(Draft, WhatTheHostSetsToZeroIsFilledWithZero) {
  const std::string program =
      "__global__ void count(const int* x, int* bins, int n) {\n"
      "  int i = threadIdx.x; if (i < n) atomicAdd(&bins[x[i]], 1); }\n"
      "int main() { cudaMalloc(&b, 256 * sizeof(int)); cudaMemset(b, 0, 1024);\n"
      "  count<<<1, 32>>>(x, b, 32); }";
  EXPECT_EQ(specOf(program).operands[1].fill, Fill::zero);
}

TEST(Draft, WhatCannotBeFilledIsSaidWithWhatToDo) {
  const std::string structure = draftOf("struct S { int a; };\n__global__ void f(S s, int* p) {}");
  EXPECT_NE(structure.find("a parameter s of type \"S\""), std::string::npos) << structure;
  EXPECT_NE(structure.find("list its members in fields"), std::string::npos) << structure;
  const std::string stars = draftOf("__global__ void f(float** rows) {}");
  EXPECT_NE(stars.find("type \"float**\": pointers to pointers"), std::string::npos) << stars;
}

TEST(Draft, AnIndexThatIsReadIsNoOutput) {
  const KernelSpec spec = specOf(
      "__global__ void h(const int* x, int* idx, int* out, int n) {\n"
      "  if (idx[n] == 3) out[idx[x[n]]] <<= 1; }");
  EXPECT_EQ(spec.operands[1].direction, Direction::in);
  EXPECT_EQ(spec.operands[2].direction, Direction::inout);
}

TEST(Draft, MalformedLaunchesAndManyKernelsEnd) {
  EXPECT_TRUE(draftFrontMatter("__global__ void k(int* p) { p[0] = 1; } k<<<1, a b)>>>(p);"));
  EXPECT_TRUE(
      draftFrontMatter("#define A B\n#define B A\n"
                       "__global__ void k(int* p) { p[0] = 1; } k<<<A, B>>>(p);"));
  std::string many;
  for (int i = 0; i < 20000; ++i) many += "__global__ void a(int* p){";
  const auto draft = draftFrontMatter(many);
  EXPECT_TRUE(draft) << toString(draft.error());
  std::string shared, ends;
  for (int i = 0; i < 8000; ++i) {
    shared += "#if X\n__global__ void k" + std::to_string(i) + "(int* p) {\n#else\n";
    ends += "#endif\n";
  }
  shared += "__global__ void last(int* p) {\n" + ends;
  while (shared.size() < 1000000) shared += "p[0] = 1; ";
  EXPECT_TRUE(draftFrontMatter(shared + "}"));
}

TEST(Draft, NoKernelIsSaid) {
  EXPECT_EQ(draftOf("int main() {}"), "this file has no __global__ function");
  EXPECT_FALSE(draftFrontMatter("__global__ void f() {}", "g"));
  EXPECT_FALSE(draftFrontMatter(std::string(2 << 20, ' ')));
}

TEST(Draft, ANameMeansWhatItMeansForEveryCommand) {
  const std::string nested =
      "namespace a { namespace sub { __global__ void k(int* p) { p[0] = 1; } }\n"
      "__global__ void other(int* p) {} }\n";
  for (const char* name : {"k", "sub::k", "a::sub::k"}) {
    const auto draft = draftFrontMatter(nested, name);
    ASSERT_TRUE(draft) << toString(draft.error());
    EXPECT_NE(draft->find("entry = \"k\""), std::string::npos) << *draft;
  }
  EXPECT_FALSE(draftFrontMatter(nested, "a::k"));
  const auto arguments = draftFrontMatter(nested, "k<3>");
  ASSERT_FALSE(arguments);
  EXPECT_EQ(arguments.error().message, "k is not a template; leave out <3>");
  const std::string twice =
      "__global__ void k(int* p) {}\nnamespace ns { __global__ void k(int* p) {} }\n";
  for (const char* name : {"", "k", "ns::k"}) {
    const auto draft = draftFrontMatter(twice, name);
    ASSERT_FALSE(draft) << name;
    EXPECT_NE(draft.error().message.find("give one of them another name"), std::string::npos);
  }
}

TEST(Draft, DamagedTextGivesADraftThatParsesOrASentence) {
  std::mt19937 random(11);
  const std::string whole = kProduct;
  const std::vector<CudaToken> tokens = cudaTokens(whole);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (const CudaToken& token : tokens) {
      if (random() % 40 == 0) continue;
      text += std::string(token.text) + (token.kind == CudaToken::Kind::directive ? "\n" : " ");
      if (random() % 60 == 0) text += std::string(tokens[random() % tokens.size()].text) + "\n";
    }
    const Result<std::string> draft = draftFrontMatter(text.substr(0, random() % text.size()));
    if (!draft) continue;
    const Result<KernelSpec> spec = parseKernel({"my.cu", text, *draft});
    EXPECT_TRUE(spec) << text << "\n" << *draft << toString(spec.error());
  }
}

}  // namespace draft_test
}  // namespace tilestep::compile
