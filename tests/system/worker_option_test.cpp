// SPDX-License-Identifier: Apache-2.0
// --worker: commands that are not workers, and workers with too little memory.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/results.h"
#include "support/tool.h"
#include "system/run_support.h"

namespace tilestep::system_test::worker_option_test {

using support::Words;

TEST(WorkerOption, ACommandThatIsNotAWorkerIsRefusedInOneSentence) {
  const Words run{"run", "matmul_tiled", "--size", "8"};
  const auto refused = [&](const std::string& command, const Words& parts) {
    Words words = run;
    words.insert(words.end(), {"--worker", command});
    expectRefused(words, parts);
    expectRefused({"devices", "--worker", command}, parts);
  };
  refused("echo hello", {"'echo hello'", "it printed \"hello\"", "'tilestep worker'"});
  refused("cat", {"'cat'", "echoes its input"});
  refused("true", {"'true'", "ended with exit status 0"});
  refused("/no/such/program", {"/no/such/program"});
  refused(support::tilestepWords({})[0] + " kernels", {"it printed \"", "exit status 0"});
}

#ifndef __SANITIZE_ADDRESS__  // The sanitizer needs terabytes of address space.
TEST(WorkerOption, AWorkerWithLittleMemoryRefusesLargeLaunches) {
  const std::string worker =
      "sh -c 'ulimit -v 1500000; exec " + support::tilestepWords({})[0] + " worker --threads 1'";
  const support::Finished large = support::expectStatus(
      2, {"run", "matmul_tiled", "--size", "12000", "--device", "simt", "--worker", worker});
  EXPECT_TRUE(has(large.err, "SIMT interpreter has 512,000,000 bytes"));
  // A single worker continues the sweep after a point that does not fit.
  const support::Finished sweep = support::expectStatus(
      0, {"sweep", "matmul_tiled", "--size", "12000,16", "--device", "simt", "--worker", worker});
  EXPECT_TRUE(has(sweep.out, "skipped"));
  EXPECT_TRUE(has(sweep.out, "ok"));
}
#endif

}  // namespace tilestep::system_test::worker_option_test
