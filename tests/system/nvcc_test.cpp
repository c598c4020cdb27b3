// SPDX-License-Identifier: Apache-2.0
// What nvcc is asked about files that are graded, with scripts in its place that say what nvcc
// says, and with the nvcc of this machine where there is one.
#include "compile/compilers/nvcc.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/process/confine.h"
#include "support/own_process.h"
#include "support/service.h"
#include "support/skips.h"
#include "support/source_root.h"
#include "system/run_support.h"

namespace tilestep::system_test {
namespace nvcc_test {

const support::OwnProcess ownProcess{"NvccTest"};

namespace fs = std::filesystem;
using compile::Nvcc;
using compile::NvccAnswer;
using Kind = NvccAnswer::Kind;

/// What a script answers to the questions about nvcc itself, in front of what it does with a file.
/// $file is the file that is asked about.
constexpr const char* kAnswersProbes =
    "#!/bin/sh\n"
    "for file; do :; done\n"
    "if [ \"$file\" = --version ]; then echo 'tools, release 12.7, V12.7.1'; exit 0; fi\n"
    "if [ \"$file\" = --list-gpu-arch ]; then echo compute_75; echo compute_99; exit 0; fi\n"
    "grep -q 'void probe' \"$file\" && exit 0\n";

const std::string kProgram =
    "#include <cstdio>\n__global__ void f(float* p) {\n  p[0] = 1;\n}\nint main() { f(0); }\n";

/// A variable of the environment, which is as it was once the object is gone.
class Variable {
 public:
  explicit Variable(const char* name) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
  }
  ~Variable() { set(before_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  void set(const std::optional<std::string>& value) const {
    if (value) ::setenv(name_, value->c_str(), 1);
    if (!value) ::unsetenv(name_);
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

class NvccTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!canKeepFiles()) GTEST_SKIP() << support::because(support::kNoLandlock);
  }

  /// Has an nvcc do that, behind the answers to what is asked of every nvcc.
  void pretend(const std::string& body) const { install(kAnswersProbes + body); }

  void install(const std::string& script) const {
    fs::create_directories(folder.path("toolkit/bin"));
    folder.write("toolkit/bin/nvcc", script);
    fs::permissions(folder.path("toolkit/bin/nvcc"), fs::perms::owner_all);
    home.set(folder.path("toolkit"));
    toolkit.set(std::nullopt);
  }

  static Result<NvccAnswer> ask(const std::string& text,
                                std::chrono::milliseconds time = kPatience) {
    const std::unique_ptr<Nvcc> nvcc = Nvcc::find(support::tilestepWords({}).front());
    if (nvcc == nullptr) return requestError("there is no nvcc");
    compile::CompileRequest request;
    request.source = {"kernels/f.cu", text, {}, {}};
    request.tunables = {{"WIDTH", 16}};
    request.limits.time = time;
    return nvcc->ask(request);
  }

  static constexpr std::chrono::milliseconds kPatience{60'000};
  support::TemporaryFolder folder{"nvcc"};
  Variable home{"CUDA_HOME"}, toolkit{"TILESTEP_TOOLKIT"};
};

TEST_F(NvccTest, ItIsGivenTheFileItsTunablesAndItsArchitecture) {
  pretend(
      "case \"$*\" in *arch=compute_75,code=sm_75*-DWIDTH=16*) ;; *) exit 1 ;; esac\n"
      "head -1 \"$file\" | grep -q '#line 1 \"kernels/f.cu\"' && grep -q 'int main' \"$file\"\n");
  const auto answer = ask(kProgram);
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->kind, Kind::takes);
}

TEST_F(NvccTest, WhatItTakesForNewerGpusIsNotRefused) {
  pretend(
      "case \"$*\" in *arch=compute_99,code=sm_99*-std=c++20*) exit 0 ;; esac\n"
      "echo 'kernels/f.cu(3): error: no such thing'\nexit 1\n");
  const auto answer = ask(kProgram);
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->kind, Kind::takesOtherwise);
}

/// Its first release with C++20 is 12.
TEST_F(NvccTest, AnOlderOneIsAskedAboutNewerGpusInItsOwnLanguage) {
  std::string probes = kAnswersProbes;
  probes.replace(probes.find("12.7"), 4, "11.8");
  install(probes +
          "case \"$*\" in *arch=compute_99,code=sm_99*-std=c++17*) exit 0 ;; esac\n"
          "echo 'kernels/f.cu(3): error: no such thing'\nexit 1\n");
  const auto answer = ask(kProgram);
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->kind, Kind::takesOtherwise);
}

/// The log quotes the line, in both of its runs.
TEST_F(NvccTest, AMistakeThatQuotesALackIsAMistake) {
  pretend(
      "echo 'kernels/f.cu(3): error: no such thing'\n"
      "echo '  p[0] = \"a: fatal error: out of memory\";'\nexit 1\n");
  const auto answer = ask(kProgram);
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->kind, Kind::refuses);
  EXPECT_TRUE(answer->isOfDevice);
}

TEST_F(NvccTest, NoFileIsIncludedByAPathOrAMacro) {
  pretend("echo 'kernels/f.cu(5): error: it was asked'\nexit 1\n");
  for (const char* include :
       {"#include \"/usr/lib/os-release\"\n", "#include <../lib/os-release>\n",
        "#define H <x>\n#include H\n", "%:include \"/usr/lib/os-release\"\n",
        "#inc\\\nlude \"/usr/lib/os-release\"\n", "#include \\\n\"/usr/lib/os-release\"\n",
        "/**/ # /**/ include \"/usr/lib/os-release\"\n", "#\\\ninclude \"/usr/lib/os-release\"\n",
        "#embed \"/usr/lib/os-release\"\n"}) {
    const auto answer = ask(kProgram + include);
    ASSERT_TRUE(answer.ok()) << include;
    EXPECT_EQ(answer->kind, Kind::unknown) << include;
  }
  const auto plain = ask("#include <sys/time.h>\n#include \"timer.h\"\n" + kProgram);
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(plain->kind, Kind::refuses);
}

/// A text that passed is not put to it again, unless its tunables may choose what is compiled. It
/// refuses nothing until a file beside it says so.
TEST_F(NvccTest, ItIsAskedOnceAboutATextThatPassed) {
  pretend(
      "[ -e \"$(dirname \"$0\")/refuse\" ] || exit 0\n"
      "echo 'kernels/f.cu(5): error: no such thing'\nexit 1\n");
  compile::CompileService service(
      {support::sourceRoot(), "", "", support::tilestepWords({}).front()});
  const auto passes = [&](int64_t width, const std::string& text) {
    compile::CompileRequest request;
    request.source = {"kernels/f.cu", text, {}, {}};
    request.tunables = {{"WIDTH", width}};
    request.asNvcc = true;
    return service.compile(request).ok();
  };
  const std::string chooses[] = {
      kProgram + "#if WIDTH > 8\n#endif\n",
      kProgram + "__device__ void g() { if constexpr (WIDTH > 8) return; }\n"};
  EXPECT_TRUE(passes(8, kProgram));
  for (const std::string& text : chooses) EXPECT_TRUE(passes(8, text)) << text;
  folder.write("toolkit/bin/refuse", "");
  EXPECT_TRUE(passes(8, kProgram)) << "it was asked before";
  EXPECT_TRUE(passes(16, kProgram)) << "it was asked with another width";
  for (const std::string& text : chooses) {
    EXPECT_TRUE(passes(8, text)) << text;
    EXPECT_FALSE(passes(16, text)) << "with other tunables it may refuse " << text;
  }
  fs::remove(folder.path("toolkit/bin/refuse"));
  EXPECT_TRUE(passes(16, chooses[0])) << "what it refused is put to it again";
}

TEST_F(NvccTest, OneThatDoesNotEndIsStoppedWithAllThatItStarted) {
  const std::string mark = "TILESTEP_MARK=" + folder.path();
  pretend("export " + mark + "\nsleep 600 &\nwait\n");
  bool hasBegun = false;
  std::thread watch([&] {
    hasBegun = support::becomesTrue(20, [&] { return !support::processesWith(mark).empty(); });
  });
  const auto answer = ask(kProgram, std::chrono::seconds(1));  // Ten on the clock.
  watch.join();
  EXPECT_TRUE(hasBegun);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::work);
  EXPECT_EQ(answer.error().message, "nvcc gave no answer: it had not ended after 10.0 s");
  EXPECT_TRUE(answer.error().late);
  EXPECT_TRUE(support::becomesTrue(10, [&] { return support::processesWith(mark).empty(); }));
}

TEST_F(NvccTest, WhatItStartedEndsWithTheProgramThatIsKilled) {
  const std::string mark = "TILESTEP_MARK=" + folder.path();
  pretend("export " + mark + "\nsleep 600 &\nwait\n");
  folder.write("a.cu", "__global__ void block_sums(const float* in, float* out, int n) {}\n");
  const std::string spec =
      fs::path(support::sourceRoot()) / "tests/grade/submissions/block_sums/teacher.toml";
  support::Running running(support::tilestepWords({"grade", folder.path("a.cu"), "--spec", spec}),
                           support::tilestepEnvironment({}));
  EXPECT_TRUE(support::becomesTrue(60, [&] { return !support::processesWith(mark).empty(); }));
  running.signal(SIGKILL);
  static_cast<void>(running.wait());
  EXPECT_TRUE(support::becomesTrue(10, [&] { return support::processesWith(mark).empty(); }));
}

TEST_F(NvccTest, OneThatCannotCompileHasNoSay) {
  install("#!/bin/sh\necho 'crt/host_config.h(41): error: unsupported GNU version!'\nexit 1\n");
  const auto broken = ask(kProgram);
  ASSERT_TRUE(broken.ok()) << broken.error().message;
  EXPECT_EQ(broken->kind, Kind::unknown);
  install("#!/bin/sh\necho 'sh: 1: gcc: not found'\nexit 1\n");
  const auto lacksHost = ask(kProgram);
  ASSERT_TRUE(lacksHost.ok()) << lacksHost.error().message;
  EXPECT_EQ(lacksHost->kind, Kind::unknown);
  for (const char* lack : {"cc1plus: out of memory",
                           "/bin/cicc: error while loading shared libraries: libc.so.6: "
                           "failed to map segment: Cannot allocate memory"}) {
    install("#!/bin/sh\necho '" + std::string(lack) + "'\nexit 1\n");
    EXPECT_FALSE(ask(kProgram).ok()) << "it may compile at another time: " << lack;
  }
}

TEST_F(NvccTest, WithoutLimitsNoneIsAsked) {
  pretend("exit 0\n");
  EXPECT_EQ(Nvcc::find(""), nullptr);
}

/// The nvcc of this machine, on what it might read and what it refuses.
TEST_F(NvccTest, TheRealOneReadsNoOtherFiles) {
  const std::string include = "#include \"" + folder.path("secret.h") + "\"\n";
  folder.write("secret.h", "not C++ at all\n");
  const auto plain = ask(kProgram);
  if (!plain && plain.error().message == "there is no nvcc")
    GTEST_SKIP() << support::because(support::kNoToolkit, "nvcc");
  ASSERT_TRUE(plain.ok()) << plain.error().message;
  EXPECT_EQ(plain->kind, Kind::refuses);
  const auto reads = ask(include + kProgram);
  ASSERT_TRUE(reads.ok()) << reads.error().message;
  EXPECT_EQ(reads->kind, Kind::unknown) << "it must not know what the file holds";
  const auto asks = ask("#if __has_include(\"" + folder.path("secret.h") +
                        "\")\n#error there is one\n#endif\n__global__ void f() {}\n");
  ASSERT_TRUE(asks.ok()) << asks.error().message;
  EXPECT_EQ(asks->kind, Kind::takes);
  const auto assembles = ask("__global__ void f() {}\nint main() { asm(\".incbin \\\"" +
                             folder.path("secret.h") + "\\\"\"); }\n");
  ASSERT_TRUE(assembles.ok()) << assembles.error().message;
  EXPECT_EQ(assembles->kind, Kind::takes) << "nothing is assembled";
}

}  // namespace nvcc_test
}  // namespace tilestep::system_test
