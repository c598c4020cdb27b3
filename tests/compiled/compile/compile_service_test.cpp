// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <thread>

#include "base/files.h"
#include "base/private_folder.h"
#include "compile/compiler.h"
#include "compile/compilers/ptx_cache.h"
#include "compile/text/parameters.h"
#include "support/environment.h"
#include "support/own_process.h"
#include "support/results.h"
#include "support/source_root.h"
#include "unit/compile/sample_kernel.h"

namespace tilestep::compile::compile_service_test {

namespace fs = std::filesystem;

const support::OwnProcess ownProcess{"Service", "ServiceTest"};

class ServiceTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto compiler = CompileService(options()).description();
    ASSERT_TRUE(compiler) << compiler.error().message;
  }
  CompileService::Options options() const {
    return {support::sourceRoot(), folder.path() / "ptx", ""};
  }
  static CompileRequest request(int64_t width = 16) {
    CompileRequest request;
    request.source = sampleSource();
    request.tunables["WIDTH"] = width;
    return request;
  }
  static std::shared_ptr<const Compiled> compiled(CompileService& service,
                                                  const CompileRequest& request) {
    return valueOrThrow(service.compile(request));
  }
  std::vector<fs::path> cacheFiles() const {
    std::vector<fs::path> files;
    for (const auto& file : fs::directory_iterator(folder.path() / "ptx")) files.push_back(file);
    return files;
  }
  PrivateFolder folder;
};

TEST_F(ServiceTest, AHiddenToolkitIsReported) {
  const support::Environment hidden("TILESTEP_TOOLKIT", "none"), any("TILESTEP_COMPILER", nullptr);
  const auto compiler = valueOrThrow(CompileService(options()).description());
  EXPECT_TRUE(compiler.starts_with("clang ")) << compiler;
  EXPECT_TRUE(compiler.ends_with(" (TILESTEP_TOOLKIT=none hides the CUDA Toolkit)")) << compiler;
  EXPECT_TRUE(fails(CompileService({support::sourceRoot(), "", "nvrtc"}).description(),
                    "TILESTEP_TOOLKIT=none hides"));
}

TEST_F(ServiceTest, LinesThatTheSourceDoesNotHaveAreDropped) {
  CompileRequest far = request();
  std::string& text = far.source.text;
  const size_t body = text.find('{', text.find("__global__"));
  ASSERT_NE(body, std::string::npos);
  text.insert(body + 1, "\n  asm volatile(\".loc 1 4000000000 0\\n\");\n");
  const auto lines = static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  for (const bool again : {false, true}) {
    CompileService service(options());
    const auto result = compiled(service, far);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->cached, again);
    for (const ptx::Instruction& instruction : result->module->find("scale")->body)
      EXPECT_LE(instruction.outerLine.line, lines);
  }
}

TEST_F(ServiceTest, GivesAParsedModuleAndKeepsItOnDisk) {
  CompileService service(options());
  const auto result = compiled(service, request());
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->cached);
  EXPECT_GT(result->ms, 0);
  EXPECT_EQ(result->arch, "compute_75");
  const ptx::Function* entry = result->module->find("scale");
  ASSERT_NE(entry, nullptr);
  EXPECT_TRUE(entry->isEntry);
  EXPECT_TRUE(has(result->ptx, ".entry scale"));
  ASSERT_FALSE(result->module->files.empty());
  EXPECT_EQ(result->module->files.begin()->second, "kernels/scale.cu");
  CompileService second(options());
  const auto found = compiled(second, request());
  EXPECT_TRUE(found->cached);
  EXPECT_EQ(found->ptx, result->ptx);
  EXPECT_NEAR(found->ms, result->ms, 1e-3);
  EXPECT_NE(found->module->find("scale"), nullptr);
  EXPECT_EQ(cacheFiles().size(), 1u);
}

// A compiler with the given name, version and fingerprint.
struct NamedCompiler : Compiler {
  std::string said[3];
  NamedCompiler(const char* name, const char* version, const char* fingerprint)
      : said{name, version, fingerprint} {}
  std::string name() const override { return said[0]; }
  std::string version() const override { return said[1]; }
  std::string fingerprint() const override { return said[2]; }
  Result<std::string> compile(const CompileRequest&, std::string&) override {
    return workError("not called");
  }
};

TEST_F(ServiceTest, TheKeyDependsOnRequestAndCompiler) {
  const NamedCompiler compiler("nvrtc", "13.0", "");
  const auto nameOf = [](const CompileRequest& asked, const Compiler& by) {
    const CacheKey key = cacheKey(asked, by);
    EXPECT_EQ(key.name.size(), 32U);
    return key.name + key.text;
  };
  const std::string key = nameOf(request(), compiler);
  const std::vector<std::function<void(CompileRequest&)>> changes{
      [](auto& r) { r.source.text += " "; }, [](auto& r) { r.tunables["WIDTH"] = 17; },
      [](auto& r) { r.arch = "compute_90"; }, [](auto& r) { r.relocatable = true; },
      [](auto& r) { r.blockThreads = 1024; }};
  for (const auto& change : changes) {
    CompileRequest other = request();
    change(other);
    EXPECT_NE(nameOf(other, compiler), key) << &change - changes.data();
  }
  EXPECT_NE(nameOf(request(), NamedCompiler("clang", "13.0", "")), key);
  EXPECT_NE(nameOf(request(), NamedCompiler("nvrtc", "13.1", "")), key);
  EXPECT_NE(nameOf(request(), NamedCompiler("nvrtc", "13.0", "x")), key);
  EXPECT_EQ(nameOf(request(), compiler), key);
}

CompileRequest ofText(const std::string& text) {
  CompileRequest request;
  request.source = {"k.cu", text, {}, {}};
  return request;
}

/// A momentary shortage must not decide which compiler grades a kernel.
TEST_F(ServiceTest, AnNvrtcThatDoesNotStartIsNotReplacedByClang) {
  const support::Environment any("TILESTEP_COMPILER", nullptr);
  CompileService::Options broken = options();
  broken.program = "/bin/false";  // It ends without reporting a version.
  CompileService service(broken);
  EXPECT_TRUE(fails(service.compile(request()), ErrorKind::work, "NVRTC cannot be started"));
}

/// The pointer is a variable of the host, and the kernel is declared before its definition.
TEST_F(ServiceTest, APointerToTheKernelIsNotASecondKernel) {
  CompileService service(options());
  const auto made =
      compiled(service, ofText("__global__ void f(float* p);\nvoid (*chosen)(float*) = f;\n"
                               "__global__ void f(float* p) { p[0] = 1; }\n"));
  ASSERT_NE(made, nullptr);
  KernelSpec spec;
  spec.name = spec.entry = "f";
  spec.operands.resize(1);
  spec.launches.resize(1);
  const Status has = checkParameters(spec, *made->module);
  EXPECT_TRUE(has.ok()) << has.error().message;
}

TEST_F(ServiceTest, CodeThatOnlyTheHostUsesIsNotAnError) {
  CompileService service(options());
  const std::string kernel = "__global__ void f(float* p) { p[0] = 1; }\n";
  for (const char* host :
       {"int ceilDiv(int a, int b) { return (a + b - 1) / b; }\n",
        "__host__ int one() { return 1; }\n", "static int calls = 0;\n",
        "constexpr int two() { return 2; }\n__constant__ int kTwo = two();\n",
        "struct Size { int n; int half() const { return n / 2; } };\n",
        "const int n = atoi(\"3\");\n", "const float* data = new float[4];\n",
        "struct Options { int n = atoi(\"3\"); };\n",
        "int sizes[] = {1, 2};\nconst int n = sizeof(sizes) / sizeof(sizes[0]);\n",
        "int ceilDiv(int a, int b) { return (a + b - 1) / b; }\n"
        "const int grid = ceilDiv(1024, 16);\n"}) {
    const auto made = service.compile(ofText(host + kernel));
    EXPECT_TRUE(made.ok()) << host << (made ? "" : toString(made.error()));
  }
}

TEST_F(ServiceTest, ConstantsAndTypesThatDeviceCodeNeedsAreKept) {
  CompileService service(options());
  const std::string program = "#include <cstdlib>\nint main() {}\n";
  for (const char* text :
       {"struct Math { static constexpr int ceilDiv(int a, int b) { return (a + b - 1) / b; } };\n"
        "const int kOne = Math::ceilDiv(16, 16);\n",
        "#define HD __host__ __device__ constexpr\nHD int ceilDiv(int a, int b) { return a / b; }\n"
        "const int kOne = ceilDiv(16, 16);\n",
        "const int kOther = atoi(\"1\");\nconst int kOne = 1;\n",
        "struct Options { int n = atoi(\"1\"); };\nusing Settings = Options;\n"
        "const int most = RAND_MAX, kTwo = 2;\nconst int kOne = 1;\n"}) {
    const auto made =
        service.compile(ofText(program + text + "__global__ void f(int* p) { p[0] = kOne; }\n"));
    EXPECT_TRUE(made.ok()) << text << (made ? "" : toString(made.error()));
  }
}

TEST_F(ServiceTest, AFileWithHostCodeIsCompiledAsAWholeProgram) {
  CompileService service(options());
  const std::string program =
      "#include <iostream>\n#include <vector>\n__global__ void f(float* p) { p[0] = sqrtf(p[1]); "
      "}\n"
      "int main() {\n  std::vector<float> v(4);\n  float* d;\n  cudaMalloc(&d, 16);\n"
      "  f<<<1, 1>>>(d);\n  std::cout << v[0] << std::endl;\n}\n";
  const auto made = compiled(service, ofText(program));
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->compilerName, "clang");
  EXPECT_EQ(made->module->functions.size(), 1U) << made->ptx;
  std::string mistaken = program;
  mistaken.replace(mistaken.find("cudaMalloc"), 4, "cudo");
  const auto refused = service.compile(ofText(mistaken));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::request);
  EXPECT_EQ(refused.error().where->line, 7) << toString(refused.error());
}

/// The file may be right on a machine with the header.
TEST_F(ServiceTest, AMissingHeaderIsNotAnErrorOfTheSource) {
  CompileService service(options());
  EXPECT_TRUE(fails(service.compile(ofText(
                        "#include \"sums.h\"\n__global__ void f(float* p) { p[0] = sum(p); }\n")),
                    ErrorKind::work, "sums.h is not on this machine"));
}

/// NVRTC and clang would compile the arrays as device variables.
TEST_F(ServiceTest, DeviceCodeMayNotReadArraysOfTheHost) {
  const std::string kernel = "__global__ void f(float* p) { p[0] = table[threadIdx.x]; }\n";
  for (const char* compiler : {"nvrtc", "clang"}) {
    CompileService service({support::sourceRoot(), "", compiler});
    if (!service.description()) continue;
    for (const char* hosts : {"const float table[] = {3, 1, 4, 1, 5};\n",
                              "static const float table[5] = {3, 1, 4, 1, 5};\n",
                              "constexpr float table[] = {3, 1, 4, 1, 5};\n"}) {
      const auto made = service.compile(ofText("\n" + (hosts + kernel)));
      ASSERT_FALSE(made.ok()) << compiler << hosts;
      EXPECT_EQ(made.error().where->line, 2) << toString(made.error());
      EXPECT_TRUE(has(made.error().message, "__constant__"));
    }
    for (const char* devices :
         {"__constant__ float table[] = {3, 1, 4, 1, 5};\n",
          "#define TABLE __device__ const\nTABLE float table[5] = {3, 1, 4, 1, 5};\n"}) {
      const auto made = service.compile(ofText(devices + kernel));
      EXPECT_TRUE(made.ok()) << compiler << devices << (made ? "" : toString(made.error()));
    }
  }
}

/// NVRTC reports the line of the value, clang the line that uses it. Both messages explain more
/// than that the name is unknown.
TEST_F(ServiceTest, AHostValueUsedByDeviceCodeIsReportedAtItsLine) {
  CompileService service(options());
  for (const std::string program : {"", "int main() {}\n"}) {
    const int useLine = program.empty() ? 3 : 4;
    const auto made =
        service.compile(ofText("#include <cmath>\nconst float PI = acos(-1.0);\n" + program +
                               "__global__ void f(float* p) { *p = PI; }\n"));
    ASSERT_FALSE(made.ok());
    const std::string said = toString(made.error());
    ASSERT_TRUE(made.error().where) << said;
    EXPECT_TRUE(made.error().where->line == 2 || made.error().where->line == useLine) << said;
    EXPECT_FALSE(has(said, "undeclared"));
    EXPECT_TRUE(has(said, "PI"));
  }
}

TEST_F(ServiceTest, DeviceCodeMayNotCallHostFunctions) {
  CompileService service(options());
  EXPECT_TRUE(
      fails(service.compile(ofText("float twice(float x) { return 2 * x; }\n"
                                   "__global__ void f(float* p) { p[0] = twice(p[1]); }\n")),
            ErrorKind::request, "twice"));
  const auto member = service.compile(
      ofText("struct Size { int n; int half() const { return n / 2; } };\n"
             "__global__ void f(int* p) { Size size{p[1]}; p[0] = size.half(); }\n"));
  ASSERT_FALSE(member);
  // If clang is installed and reports the error, the mistake is in the source.
  const bool isKnown = openClang(support::sourceRoot() + "/assets/clang").ok();
  EXPECT_EQ(member.error().kind == ErrorKind::request, isKnown) << member.error().message;
}

/// Messages are stored by the module's names, also those of templates, and are read again from the
/// disk.
TEST_F(ServiceTest, MessagesOfPtxasAreKeptByFunction) {
  CompileRequest request = ofText(
      "template <int count> __device__ int sum(const int* p, int n) {\n"
      "  if (n == 0) return p[count];\n"
      "  return sum<count>(p + 1, n - 1) * p[n] + p[0];\n"
      "}\n"
      "template <int count> __global__ void g(int* p) { p[0] = sum<count>(p, p[1]); }\n"
      "template __global__ void g<3>(int*);\n");
  request.blockThreads = 256;
  CompileService first(options());
  const auto made = compiled(first, request);
  ASSERT_NE(made, nullptr);
  if (made->compilerName != "nvrtc") {
    EXPECT_TRUE(made->assembled.empty());
    return;
  }
  ASSERT_EQ(made->assembled.size(), 2U) << made->log << made->ptx;
  for (const auto& [name, function] : made->assembled) {
    const ptx::Function* found = made->module->find(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->isEntry, function.registers > 0) << name;
    EXPECT_EQ(found->isEntry, function.stackBytes == 0) << name;
  }
  CompileService second(options());
  const auto again = compiled(second, request);
  EXPECT_TRUE(again->cached);
  EXPECT_EQ(again->assembled, made->assembled);
}

TEST_F(ServiceTest, DamagedFilesAreIgnoredAndRewritten) {
  CompileService first(options());
  const auto made = compiled(first, request());
  const fs::path file = cacheFiles().at(0);
  const std::string good = *readTextFile(file);
  for (const std::string& bad :
       {std::string(), std::string("tilestep-ptx 1 0\n"), good.substr(0, good.size() / 2),
        good + "x", std::string(5000, '\xff')}) {
    ASSERT_TRUE(writeFileAtomically(file, bad).ok());
    CompileService service(options());
    const auto result = compiled(service, request());
    EXPECT_FALSE(result->cached);
    EXPECT_EQ(result->ptx, made->ptx);
    CompileService after(options());
    EXPECT_TRUE(compiled(after, request())->cached);
  }
}

TEST_F(ServiceTest, ErrorsAreNotRemembered) {
  CompileService service(options());
  CompileRequest bad = request();
  bad.source.text = replaced(bad.source.text, "2.0f * P[i]", "2.0f * Q[i]");
  for (int i = 0; i < 2; ++i) {
    const auto result = service.compile(bad);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().where->file, "kernels/scale.cu");
    EXPECT_EQ(result.error().where->line, 27);
    EXPECT_TRUE(has(result.error().sourceLine, "2.0f * Q[i]"));
  }
}

TEST_F(ServiceTest, ServesSeveralThreads) {
  CompileService service(options());
  std::vector<std::thread> threads;
  for (int64_t width = 1; width <= 4; ++width) {
    threads.emplace_back([&service, width] {
      for (int i = 0; i < 3; ++i) EXPECT_TRUE(service.compile(request(width % 2 + 1)).ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(ServiceTest, RefusesOddRequests) {
  CompileService service(options());
  CompileRequest odd = request();
  odd.arch = "sm_75 -o /x";
  EXPECT_FALSE(service.compile(odd).ok());
  odd = request();
  odd.tunables["A B"] = 1;
  EXPECT_FALSE(service.compile(odd).ok());
  odd = request();
  odd.source.text += '\0';
  EXPECT_FALSE(service.compile(odd).ok());
}

TEST(Service, AnUnknownCompilerIsRefused) {
  const CompileService service({support::sourceRoot(), "", "gcc"});
  EXPECT_TRUE(fails(service.description(), "nvrtc or clang"));
}

CacheKey keyOf(const std::string& name) {
  return {name, "all of " + name};
}

TEST(PtxCache, DropsTheOldestBeyondItsSize) {
  const PrivateFolder folder;
  const PtxCache cache(folder.path(), 3000);
  const auto hour = std::chrono::hours(1);
  for (int i = 0; i < 3; ++i) {
    cache.store(keyOf(std::to_string(i)), {std::string(890, 'p'), "", {}, 1});
    fs::last_write_time(cache.fileOf(keyOf(std::to_string(i))),
                        fs::file_time_type::clock::now() - hour * (10 - i));
  }
  EXPECT_TRUE(cache.load(keyOf("0")).has_value());  // Used just now, so 1 is the oldest.
  cache.store(keyOf("3"), {std::string(890, 'p'), "", {}, 1});
  EXPECT_TRUE(cache.load(keyOf("0")).has_value());
  EXPECT_FALSE(cache.load(keyOf("1")).has_value());
  EXPECT_TRUE(cache.load(keyOf("2")).has_value());
  EXPECT_TRUE(cache.load(keyOf("3")).has_value());
}

/// Two compiles with one file name: the second must not find the first one's PTX.
TEST(PtxCache, TheWholeKeyDecides) {
  const PrivateFolder folder;
  const PtxCache cache(folder.path());
  cache.store({"name", "one text"}, {"ptx\n", "", {}, 1});
  EXPECT_TRUE(cache.load({"name", "one text"}).has_value());
  EXPECT_FALSE(cache.load({"name", "another"}).has_value());
}

TEST(PtxCache, APipeInsteadOfAFileIsReplaced) {
  const PrivateFolder folder;
  const PtxCache cache(folder.path());
  ASSERT_EQ(::mkfifo(cache.fileOf(keyOf("a")).c_str(), 0600), 0);
  EXPECT_FALSE(cache.load(keyOf("a")).has_value());
  cache.store(keyOf("a"), {"ptx\n", "", {}, 1});
  EXPECT_TRUE(cache.load(keyOf("a")).has_value());
}

TEST(PtxCache, AFolderThatOthersMayWriteToIsNotUsed) {
  const PrivateFolder folder;
  {
    const PtxCache mine(folder.path());
    mine.store(keyOf("a"), {"ptx\n", "", {}, 1});
    EXPECT_TRUE(mine.load(keyOf("a")).has_value());
  }
  fs::permissions(folder.path(), fs::perms::others_write, fs::perm_options::add);
  const PtxCache shared(folder.path());
  EXPECT_FALSE(shared.load(keyOf("a")).has_value()) << "somebody else may have put it there";
}

}  // namespace tilestep::compile::compile_service_test
