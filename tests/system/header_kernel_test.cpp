// SPDX-License-Identifier: Apache-2.0
// A kernel in a header of the program. Its findings and its steps name the header.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/private_folder.h"
#include "compile/program_source.h"
#include "support/results.h"
#include "support/source_root.h"
#include "support/tool.h"
#include "worker/client.h"
#include "worker/program_report.h"

namespace tilestep::system_test::header_kernel_test {

constexpr const char* kHeader = R"(// The kernel.
__global__ void twice(float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = 2 * x[i];
}
)";
constexpr const char* kWrapper = "inline void doTwice(float* x) { twice<<<2, 64>>>(x); }\n";
constexpr const char* kMain = R"(#include "twice.cuh"
int main() {
  float* d;
  cudaMalloc(&d, 100 * sizeof(float));
  cudaMemset(d, 0, 100 * sizeof(float));
  LAUNCH;
  cudaDeviceSynchronize();
}
)";

class HeaderKernel : public ::testing::TestWithParam<const char*> {
 protected:
  HeaderKernel() {
    std::string text = kMain;
    const std::string launch = "LAUNCH";
    text.replace(text.find(launch), launch.size(), GetParam());
    EXPECT_TRUE(writeFileAtomically(program(), text).ok());
    EXPECT_TRUE(writeFileAtomically(header(), std::string(kHeader) + kWrapper).ok());
  }
  [[nodiscard]] std::filesystem::path program() const { return folder_.path() / "hw1.cu"; }
  [[nodiscard]] std::filesystem::path header() const { return folder_.path() / "twice.cuh"; }
  [[nodiscard]] std::filesystem::path report() const { return folder_.path() / "report"; }

  PrivateFolder folder_;
};

TEST_P(HeaderKernel, AFindingNamesTheHeader) {
  const auto done = support::tilestep({"run", program().string(), "--program", "--device", "simt",
                                       "--check", "--report", report().string()});
  const Result<std::string> text = readTextFile(report());
  ASSERT_TRUE(text) << done.err;
  const auto summary = valueOrThrow(worker::readReport(*text));
  const auto finding =
      std::ranges::find(summary.findings, "out-of-bounds", &lab::ProgramFinding::kind);
  ASSERT_NE(finding, summary.findings.end());
  EXPECT_EQ(finding->line, 4U);
  EXPECT_EQ(std::filesystem::path(finding->file).filename(), "twice.cuh");
}

TEST_P(HeaderKernel, ItsStepsAreShownWithTheHeadersText) {
  compile::ProgramSource source;
  source.path = program().string();
  source.folder = program().parent_path().string();
  lab::Experiment experiment;
  experiment.source.path = source.path;
  experiment.source.text = *readTextFile(source.path);
  experiment.source.launch =
      std::make_shared<const compile::ProgramLaunch>(compile::ProgramLaunch{source, 1, 0, 0});
  experiment.device = "simt";
  experiment.measure = false;
  experiment.traceBlock = Dim3{0, 0, 0};
  worker::Client::Options options;
  for (const std::string& word : support::tilestepWords({"worker"}))
    options.command += (options.command.empty() ? "" : " ") + word;
  auto client = valueOrThrow(worker::Client::start(options));
  const worker::Reply reply = client->wait(client->run(experiment));
  const auto* result = worker::resultOf(reply);
  ASSERT_NE(result, nullptr);
  EXPECT_EQ(result->kernelText, std::string(kHeader) + kWrapper);
}

INSTANTIATE_TEST_SUITE_P(LaunchedFrom, HeaderKernel,
                         ::testing::Values("twice<<<2, 64>>>(d)", "doTwice(d)"));

}  // namespace tilestep::system_test::header_kernel_test
