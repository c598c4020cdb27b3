// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "compile/compilers/assembler_log.h"
#include "compile/compilers/clang_output.h"
#include "compile/compilers/compiler_log.h"
#include "compile/front_matter/symbols.h"
#include "compile/kernel.h"
#include "compile/text/parameters.h"
#include "ptx/text/parser.h"
#include "support/environment.h"
#include "support/own_process.h"
#include "support/results.h"
#include "support/service.h"
#include "support/toolkit.h"
#include "unit/compile/sample_kernel.h"

namespace tilestep::compile::compiler_test {

const support::OwnProcess ownProcess{"Clang"};

std::unique_ptr<Compiler> orNull(Result<std::unique_ptr<Compiler>> opened) {
  return opened ? std::move(*opened) : nullptr;
}
std::unique_ptr<Compiler> clangHere() {
  return orNull(openClang(clangFolder()));
}

class CompilerTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    compiler = std::string(GetParam()) == "nvrtc" ? orNull(openNvrtc()) : clangHere();
    if (compiler) return;
    const std::string skip = support::skipWithout(GetParam());
    ASSERT_NE(skip, "") << GetParam() << " cannot be opened";
    GTEST_SKIP() << skip;
  }
  Result<std::string> compile(const std::string& text, const Bindings& tunables = {},
                              bool relocatable = false) {
    CompileRequest request;
    request.source = {"kernels/some \"odd\" (1).cu", text, {}};
    request.tunables = tunables;
    request.relocatable = relocatable;
    return compiler->compile(request, log);
  }
  std::string ptx(const std::string& text, const Bindings& tunables = {}) {
    return valueOrThrow(compile(text, tunables));
  }
  std::unique_ptr<Compiler> compiler;
  std::string log;
};

INSTANTIATE_TEST_SUITE_P(Both, CompilerTest, testing::Values("nvrtc", "clang"),
                         [](const auto& test) { return std::string(test.param); });

TEST(CompilerLog, RecognisesAnErrorAboutHostCode) {
  const std::string unmarked =
      "k.cu(1): error: A function without execution space annotations is considered a host "
      "function, and host functions are not allowed in JIT mode. Consider using -default-device "
      "flag\n  int f() { return 1; }\n";
  EXPECT_TRUE(findsHostCode(unmarked));
  EXPECT_FALSE(findsHostCode("k.cu(3): error: expected a \";\"\n" + unmarked));
  EXPECT_FALSE(findsHostCode(""));
}

/// Only NVRTC contains ptxas. Its PTX is the same with and without machine code.
TEST_P(CompilerTest, AssemblesIfItCan) {
  CompileRequest request;
  request.source = {"k.cu",
                    "// A shuffle that no GPU since Volta knows.\n"
                    "__global__ void f(int* P) {\n"
                    "  int x = P[threadIdx.x], y = x;\n"
                    "  if (OLD)\n"
                    "    asm volatile(\"shfl.down.b32 %0, %1, 1, 31;\" : \"=r\"(y) : \"r\"(x));\n"
                    "  P[threadIdx.x] = y;\n"
                    "}\n",
                    {}};
  request.tunables = {{"OLD", 0}};
  const Result<std::string> plain = compiler->compile(request, log);
  EXPECT_TRUE(assembledIn(log).empty());
  request.blockThreads = 32;
  const Result<std::string> assembled = compiler->compile(request, log);
  ASSERT_TRUE(plain.ok() && assembled.ok()) << log;
  EXPECT_EQ(*plain, *assembled);
  const bool isNvrtc = compiler->name() == "nvrtc";
  ASSERT_EQ(assembledIn(log).size(), isNvrtc ? 1U : 0U) << log;
  EXPECT_TRUE(!isNvrtc || assembledIn(log).begin()->second.registers > 3) << log;
  EXPECT_EQ(withoutAssembled(log), "");
  request.tunables = {{"OLD", 1}};
  const Result<std::string> old = compiler->compile(request, log);
  ASSERT_EQ(old.ok(), !isNvrtc);
  if (!isNvrtc) return;
  EXPECT_TRUE(has(old.error().message, "'shfl' without '.sync'"));
  ASSERT_TRUE(old.error().where);
  EXPECT_EQ(old.error().where->line, 5);
  EXPECT_EQ(old.error().kind, ErrorKind::request);
}

TEST_P(CompilerTest, MakesPtxWithLinesOfTheKernelItself) {
  const std::string text =
      ptx("__global__ void f(float* P) {\n"
          "  int i = threadIdx.x;\n"
          "  P[i] = blockIdx.y;\n"
          "}\n");
  EXPECT_TRUE(has(text, ".target sm_75"));
  EXPECT_TRUE(has(text, ".loc\t1 3"));
  EXPECT_TRUE(has(text, "kernels/some"));
  EXPECT_FALSE(has(text, ".file\t2")) << "a line of a header";
  EXPECT_FALSE(has(text, "tilestep-")) << "a temporary path";
}

TEST_P(CompilerTest, ErrorsCarryFileLineAndSourceLine) {
  const auto result = compile(
      "__global__ void f(float* P) {\n"
      "\tP[0] = missing;\n"
      "}\n");
  ASSERT_FALSE(result.ok());
  const Error& error = result.error();
  EXPECT_EQ(error.kind, ErrorKind::request);
  ASSERT_TRUE(error.where.has_value()) << error.message;
  EXPECT_EQ(error.where->file, "kernels/some \"odd\" (1).cu");
  EXPECT_EQ(error.where->line, 2);
  EXPECT_EQ(error.sourceLine, "\tP[0] = missing;");
  EXPECT_TRUE(has(error.message, "missing"));
  EXPECT_TRUE(has(log, "missing"));
}

TEST_P(CompilerTest, AnUnknownArchitectureIsAnError) {
  CompileRequest request;
  request.source = {"kernels/f.cu", "__global__ void f() {}\n", {}};
  request.arch = "compute_1";
  EXPECT_TRUE(fails(compiler->compile(request, log), "f.cu"));
}

TEST_P(CompilerTest, GenericLambdasNeedNoDevice) {
  const auto lambda = compile(
      "__global__ void f(float* P) {\n"
      "  const auto twice = [&](auto x) { return 2 * x; };\n"
      "  P[0] = twice(P[1]);\n"
      "}\n");
  EXPECT_TRUE(lambda.ok()) << toString(lambda.error());
  // A capture of any length must not cause more than an error.
  EXPECT_FALSE(compile("__global__ void f(float* P) { const auto g = [" + std::string(200000, '&') +
                       "](auto x) { return x; }; P[0] = g(P[1]); }\n")
                   .ok());
  // A function needs __device__, as with nvcc.
  const auto function = compile(
      "float twice(float x) { return 2 * x; }\n"
      "__global__ void f(float* P) { P[0] = twice(P[1]); }\n");
  EXPECT_FALSE(function.ok());
}

TEST_P(CompilerTest, BuiltInsOfKernelsExist) {
  const std::string text = ptx(R"cu(
__constant__ float factors[4] = {1, 2, 3, 4};
template <int N> __device__ float times(float x) { return x * N; }
__global__ void __launch_bounds__(256) f(float* P, const float4* Q, unsigned long long* U, int* I) {
  extern __shared__ float s[];
  dim3 shape = blockDim;
  uint3 t = threadIdx;
  int i = blockIdx.x * blockDim.x + threadIdx.x + t.y + shape.z + gridDim.x;
  float4 q = Q[i];
  s[threadIdx.x] = q.x + q.y * q.z + q.w;
  __syncthreads();
  float v = sqrtf(s[i]) + rsqrtf(q.x) + fabsf(q.y) + fminf(q.x, q.z) + floorf(q.w) + fmaf(q.x, q.y, 1.0f);
  v += __expf(v) + __logf(v) + min(i, 3) + max(q.x, 1.0f) + truncf(v) + times<3>(v) / q.x;
  v += __shfl_down_sync(0xffffffff, v, 16) + __shfl_xor_sync(0xffffffff, i, 1);
  v += __ballot_sync(0xffffffff, i > 3) + __popc(i) + __clz(i) + __ldg(&P[i + 1]);
  __syncwarp();
  __threadfence();
  atomicAdd(P, v);
  atomicAdd(&s[0], v);
  atomicAdd(U, 4ull);
  atomicMax(I, 5);
  atomicCAS(I, 1, 2);
  float2 pair = make_float2(v, factors[i & 3]);
  P[i] = pair.x + pair.y + warpSize;
  if (i == 5) printf("%d %f\n", i, v);
}
)cu");
  EXPECT_TRUE(has(text, "ld.global.v4"));
  EXPECT_TRUE(has(text, "shfl.sync.down"));
  EXPECT_TRUE(has(text, "vprintf"));
}

TEST_P(CompilerTest, VectorsOfThreeLongsAndCachedLoadsOfHalvesExist) {
  const std::string text = ptx(R"cu(
#include <cuda_fp16.h>
#include <cuda_bf16.h>

__global__ void f(const __half* h, const __half2* p, const __nv_bfloat16* b, float* out) {
  ulong3 u = make_ulong3(1, 2, threadIdx.x);
  long3 l = make_long3(4, 5, 6);
  __half2 pair = __ldg(p);
  __stcg((__half*)out, __ldcg(h));
  out[1] = __half2float(__ldg(h)) + __low2float(pair) + __bfloat162float(__ldg(b)) + u.z + l.y;
}
)cu");
  EXPECT_TRUE(has(text, "ld.global.nc"));
  EXPECT_TRUE(has(text, "st.global.cg"));
}

TEST_P(CompilerTest, PipelineCopiesMoveAllBytesAtOnceOnOlderGpusToo) {
  const std::string head =
      "#include <cuda_pipeline.h>\n__global__ void f(const int4* in, int* out) {\n"
      "  __shared__ int4 s[32];\n  __pipeline_memcpy_async(&s[threadIdx.x], in + threadIdx.x, ";
  const std::string rest =
      ");\n  __pipeline_commit();\n  __pipeline_wait_prior(0);\n  __syncthreads();\n"
      "  out[threadIdx.x] = s[31 - threadIdx.x].x;\n}\n";
  const auto stores = [&](const char* bytes) {
    std::vector<std::string> found;
    const std::string text = ptx(head + bytes + rest);
    for (size_t at = text.find("st.shared"); at != std::string::npos;
         at = text.find("st.shared", at + 1))
      found.push_back(text.substr(at + 9, text.find_first_of(" \t", at) - at - 9));
    return found;
  };
  using Stores = std::vector<std::string>;
  const Stores sixteen = stores("16"), eight = stores("8"), four = stores("4");
  ASSERT_EQ(sixteen.size(), 1U);
  EXPECT_TRUE(sixteen[0].starts_with(".v4.") && sixteen[0].ends_with("32")) << sixteen[0];
  ASSERT_EQ(eight.size(), 1U);
  EXPECT_TRUE(eight[0].ends_with("64") || eight[0].starts_with(".v2.")) << eight[0];
  ASSERT_EQ(four.size(), 1U);
  EXPECT_TRUE(four[0].ends_with("32") && !four[0].starts_with(".v")) << four[0];
}

Result<std::string> byClang(const std::string& text) {
  const auto clang = clangHere();
  if (clang == nullptr) return workError("clang cannot be opened");
  CompileRequest request;
  request.source = {"kernels/f.cu", text, {}};
  std::string log;
  return clang->compile(request, log);
}

TEST(Clang, MathematicalFunctionsUseDefinedRoundingInRegisters) {
  const auto ptxOf = [](const std::string& body) {
    const auto result = byClang("__global__ void f(float* P, double* Q) {\n" + body + "\n}\n");
    return result ? *result : toString(result.error());
  };
  const std::string text = ptxOf(
      "P[0] = expf(P[1]) + exp2f(P[1]) + logf(P[1]) + sinf(P[1]) + powf(P[1], 2.3f) +\n"
      "       lgammaf(P[1]) + erfinvf(P[1]) + hypotf(P[1], P[2]);\n"
      "Q[0] = exp(Q[1]) + log(Q[1]) + tan(Q[1]) + pow(Q[1], 2.3) + lgamma(Q[1]) + erfinv(Q[1]);");
  ASSERT_TRUE(has(text, "st.global.f64"));
  for (const char* absent : {"approx", "call", "ld.const", ".local", "ld.global.u", "brx"})
    EXPECT_FALSE(has(text, absent)) << absent;
  for (size_t at = text.find("\t.loc\t"); at != std::string::npos;
       at = text.find("\t.loc\t", at + 1))
    EXPECT_EQ(text.compare(at, 8, "\t.loc\t1 "), 0) << "a line that is not the kernel's";
  EXPECT_TRUE(has(ptxOf("P[0] = __expf(P[1]);"), "ex2.approx.f32"));
}

/// Clang's error for the statement in a kernel with `float x; int n;`.
std::string clangSays(const std::string& statement, const std::string& before = {}) {
  const auto result =
      byClang(before + "\n__global__ void f(float x, int n, float* P) { " + statement + " }\n");
  return result ? "" : result.error().message;
}

TEST(Clang, ACallMissingFromItsHeadersIsReportedWithARemedy) {
  const std::string remedy = "with the CUDA Toolkit installed, NVRTC compiles";
  for (const char* statement :
       {"P[0] = max(x, n);", "struct S { int i; }; S s; __ldg(&s);", "P[0] = fmodf(x);"})
    EXPECT_TRUE(has(clangSays(statement), remedy));
  const std::string own =
      "__device__ int g(long i, float) { return i; }\n__device__ int g(float, long i) { return i; "
      "}";
  for (const char* statement : {"P[0] = g(1, 2);", "P[0] = g();"}) {
    const std::string said = clangSays(statement, own);
    EXPECT_NE(said, "");
    EXPECT_FALSE(has(said, "Tilestep"));
  }
}

TEST(Clang, RefusesFusedBfloatProductsOnOldGpus) {
  const std::string said =
      clangSays("__nv_bfloat16 b = x; P[0] = __hfma(b, b, b);", "#include <cuda_bf16.h>");
  EXPECT_TRUE(has(said, "__hfma of __nv_bfloat16 needs arch = \"compute_80\" or later"));
}

TEST(Clang, UnknownNamesAndHeadersOfTheToolkitAreReportedWithTheirLine) {
  const auto header = byClang("#include <cuda_runtime.h>\n\n#include <mma.h>\n");
  ASSERT_TRUE(fails(header, "mma.h needs the CUDA Toolkit (NVRTC)"));
  EXPECT_EQ(header.error().where->file, "kernels/f.cu");
  EXPECT_EQ(header.error().where->line, 3);
  const auto name = byClang("__global__ void f(int* P) {\n  P[0] = __viaddmax_s32(1, 2, 3);\n}\n");
  ASSERT_TRUE(fails(name, "__viaddmax_s32"));
  EXPECT_TRUE(fails(name, "with the CUDA Toolkit installed, NVRTC compiles"));
  EXPECT_EQ(name.error().where->line, 2);
}

/// A message that quotes the file is an error of the file.
TEST(Clang, AnErrorMessageInTheSourceIsNotAShortage) {
  EXPECT_TRUE(fails(byClang("#error x: Input/output error\n"), ErrorKind::request, ""));
}

TEST(Clang, RotatesByAnyAmount) {
  const std::string clang14 =
      "\t{\n\t.reg .u32 %amt2;\n"
      "\tshl.b64 \t%lhs, %rd1, %r6;\n"
      "\tsub.u32 \t%amt2, 64, %r6;\n"
      "\tshr.b64 \t%rhs, %rd1, %amt2;\n\t}\n";
  const std::string right =
      "\t{\n\t.reg .u32 %amt2;\n"
      "\tand.b32 \t%amt2, %r6, 63;\n"
      "\tshl.b64 \t%lhs, %rd1, %amt2;\n"
      "\tsub.u32 \t%amt2, 64, %amt2;\n"
      "\tshr.b64 \t%rhs, %rd1, %amt2;\n\t}\n";
  EXPECT_EQ(withMaskedRotations(clang14 + clang14), right + right);
  EXPECT_EQ(withMaskedRotations(right), right) << "clang 19 writes it so";
}

TEST(Clang, WithoutItsHeaderThereIsNoClang) {
  const auto clang = openClang("/nowhere");
  ASSERT_TRUE(clang);
  EXPECT_EQ(*clang, nullptr);
}

TEST(Clang, AMissingTemporaryFolderIsReported) {
  const support::Environment temporary("TMPDIR", "/dev/null/none");
  EXPECT_TRUE(fails(openClang(clangFolder()), "TMPDIR"));
}

/// Puts only a clang++-30 that executes the script on PATH.
class OwnClang {
 public:
  explicit OwnClang(const std::string& script) {
    folder_.write("clang++-30", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(folder_.path("clang++-30"), std::filesystem::perms::owner_all);
  }

 private:
  support::TemporaryFolder folder_{"own_clang"};
  support::Environment path_{"PATH", folder_.path().c_str()};
};

TEST(Clang, AClangThatCannotBeStartedIsAnError) {
  for (const char* script :
       {"kill -9 $$", "echo 'clang: Too many open files'; exit 1",
        "echo 'error while loading shared libraries: x: failed to map segment'; exit 127",
        "case $1 in --version) echo 'clang version 30.0.1';; -print-resource-dir) echo /x;; "
        "*) echo 'error: unable to execute command: Resource temporarily unavailable'; exit 1;; "
        "esac"}) {
    const OwnClang clang(script);
    EXPECT_TRUE(fails(openClang(clangFolder()), ErrorKind::work, "clang++-30")) << script;
  }
}

TEST(Clang, AClangThatIsBrokenTooOldOrWithoutPtxIsIgnored) {
  for (const char* script :
       {"exit 127", "echo 'some other compiler'", "echo 'clang version 13.0.1'",
        "test $1 = --version && echo 'clang version 30.0.1' && exit; exit 1",
        "case $1 in --version) echo 'clang version 30.0.1';; -print-resource-dir) echo /x;; "
        "*) echo \"clang: Unknown command line argument '-unroll-threshold=1300'\"; exit 1;; esac",
        "case $1 in --version) echo 'clang version 30.0.1';; -print-resource-dir) echo /x;; "
        "*) echo \"error: unable to create target: 'No available targets'\"; exit 1;; esac"}) {
    const OwnClang clang(script);
    const auto opened = valueOrThrow(openClang(clangFolder()));
    EXPECT_EQ(opened, nullptr) << script;
  }
}

TEST(CompilerLog, NamesTheLinesOfOtherErrors) {
  const KernelSource source{"k.cu", "one\ntwo\nthree\nfour\nfive\nsix\n", {}};
  const auto messageOf = [&](const std::string& log) { return firstError(log, source)->message; };
  const std::string two = "k.cu:2:1: error: bad\n", three = "k.cu:3:1: error: worse\n";
  EXPECT_EQ(messageOf(two + two + "other.h:9:1: error: else\n"), "bad");
  EXPECT_EQ(messageOf(two + three), "bad; another error is in line 3");
  EXPECT_EQ(messageOf(two + three + "k.cu:4:2: error: no\n" + three),
            "bad; more errors are in lines 3 and 4");
  EXPECT_EQ(messageOf(two + three +
                      "k.cu:4:2: error: no\nk.cu:5:2: error: no\n"
                      "k.cu:6:2: error: no\n"),
            "bad; more errors are in lines 3, 4, 5 and below");
}

TEST(CompilerLog, ReadsBothFormats) {
  const KernelSource source{"a:b(3).cu", "one\ntwo\nthree\n", {}};
  const auto nvrtc = firstError("x warning\na:b(3).cu(2): error: no such thing\n  two\n", source);
  ASSERT_TRUE(nvrtc.has_value());
  EXPECT_EQ(nvrtc->where->file, "a:b(3).cu");
  EXPECT_EQ(nvrtc->where->line, 2);
  EXPECT_EQ(nvrtc->sourceLine, "two");
  EXPECT_EQ(nvrtc->message, "no such thing");
  EXPECT_EQ(nvrtc->where->column, 0);
  const auto open = firstError("At end of source: error: expected a \"}\"\n", source);
  ASSERT_TRUE(open && open->where);
  EXPECT_GT(open->where->line, 1) << "its last line";
  EXPECT_EQ(open->message, "expected a \"}\"");
  const auto quoted = firstError("a:b(3).cu(2): error: identifier \"two\" is undefined\n", source);
  EXPECT_EQ(quoted->where->column, 1);
  const auto part = firstError("a:b(3).cu(2): error: identifier \"tw\" is undefined\n", source);
  EXPECT_EQ(part->where->column, 0) << "two is another word";
  const auto clang = firstError("a:b(3).cu:3:7: fatal error: gone\n", source);
  ASSERT_TRUE(clang.has_value());
  EXPECT_EQ(clang->where->line, 3);
  EXPECT_EQ(clang->where->column, 7);
  EXPECT_EQ(clang->sourceLine, "three");
  const auto header = firstError("other.h:9:1: error: bad\n", source);
  EXPECT_EQ(header->where->file, "other.h");
  EXPECT_EQ(header->sourceLine, "");
  EXPECT_FALSE(firstError("all is well\n: error: \nx(y): error: z\n", source).has_value());
  EXPECT_EQ(compileError("clang: error: unknown argument\n", source, "clang 14", "?").message,
            "clang 14 does not compile a:b(3).cu: unknown argument");
}

TEST(Symbols, EntriesOfOneNameKeepTheirSymbols) {
  ptx::Module module;
  for (const char* name : {"_Z1fi", "_Z1ff", "_Z1gi"}) {
    ptx::Function function;
    function.name = name;
    function.isEntry = true;
    module.functions.push_back(function);
  }
  usePlainEntryNames(module);
  EXPECT_EQ(module.functions[0].name, "_Z1fi");
  EXPECT_EQ(module.functions[1].name, "_Z1ff");
  EXPECT_EQ(module.functions[2].name, "g");
}

TEST(Parameters, MustBeTheOperands) {
  ptx::Module module;
  ptx::Function function;
  function.name = "scale";
  function.isEntry = true;
  function.parameters = {{"a", ptx::Type::u64}, {"b", ptx::Type::u32}};
  module.functions.push_back(function);
  KernelSpec spec = *parseKernel(sampleSource());
  EXPECT_TRUE(checkParameters(spec, module).ok());
  std::swap(spec.operands[0], spec.operands[1]);
  EXPECT_TRUE(has(checkParameters(spec, module).error().message, "has 8 bytes"));
  spec.operands.pop_back();
  EXPECT_TRUE(
      has(checkParameters(spec, module).error().message, "each parameter needs one operand"));
  spec.entry = "scael";
  EXPECT_EQ(checkParameters(spec, module).error().message,
            "scale has no __global__ function scael; it has scale; fix entry in the front matter");
  module.functions.clear();
  EXPECT_EQ(checkParameters(spec, module).error().message,
            "scale has no __global__ function scael; the compiler found no such function; write "
            "one, or fix the #if lines that exclude it");
}

}  // namespace tilestep::compile::compiler_test
