// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/files.h"
#include "base/private_folder.h"
#include "support/results.h"
#include "support/tool.h"

namespace tilestep::system_test {

/// A program in its own folder.
class WrittenProgram {
 public:
  explicit WrittenProgram(const std::string& text) {
    EXPECT_TRUE(writeFileAtomically(path(), text).ok());
  }
  [[nodiscard]] std::string path() const { return (folder_.path() / "hw.cu").string(); }
  [[nodiscard]] support::Finished run(support::Words options = {}) const {
    support::Words words{"run", path(), "--device", "simt"};
    words.insert(words.end(), options.begin(), options.end());
    return support::tilestep(words);
  }

 private:
  PrivateFolder folder_;
};

/// A program whose `main` has this body, with a kernel that sets n floats to 1.
inline std::string withMain(const std::string& body) {
  return "#include <cstdio>\n"                                 // 1
         "__global__ void ones(float* to, int n) {\n"          // 2
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"  // 3
         "  if (i < n) to[i] = 1;\n"                           // 4
         "}\n"                                                 // 5
         "int main() {\n"                                      // 6
         "  const int n = 100;\n"                              // 7
         "  float h[100] = {};\n"                              // 8
         "  float* d_x;\n" +                                   // 9
         body +
         "\n  return 0;\n}\n";
}

/// Runs the program with --check. Fails the test unless it exits with `status` and its report
/// contains all `parts`. Returns its output.
inline std::string expectReport(const std::string& text, int status, const support::Words& parts) {
  const support::Finished done = WrittenProgram(text).run({"--check"});
  EXPECT_EQ(done.status, status) << done.err;
  for (const std::string& part : parts) EXPECT_TRUE(has(done.err, part));
  return done.out;
}

}  // namespace tilestep::system_test
