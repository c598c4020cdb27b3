// SPDX-License-Identifier: Apache-2.0
#include "base/process/memory_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "base/private_folder.h"
#include "support/own_process.h"

namespace tilestep::memory_limit_test {

const support::OwnProcess ownProcess{"MemoryLimitTest"};

namespace fs = std::filesystem;

/// A folder with the proc and sys files of a machine with 16 GiB.
class MemoryLimitTest : public testing::Test {
 protected:
  MemoryLimitTest() { write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 1 kB\n"); }
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_.path() / file).parent_path());
    std::ofstream(root_.path() / file) << text;
  }
  [[nodiscard]] MemoryLimit limit() const { return memoryLimit(root_.path()); }

 private:
  PrivateFolder root_;
};

constexpr uint64_t kGiB = uint64_t{1} << 30;

TEST_F(MemoryLimitTest, IsTheMachinesMemoryByDefault) {
  EXPECT_EQ(limit().bytes, 16 * kGiB);
  EXPECT_EQ(limit().reason, "the machine has");
}

TEST_F(MemoryLimitTest, AppliesControlGroupsV2) {
  write("proc/self/cgroup", "0::/user.slice/job\n");
  write("sys/fs/cgroup/user.slice/job/memory.max", "2147483648\n");
  EXPECT_EQ(limit().bytes, 2 * kGiB);
  EXPECT_EQ(limit().reason, "its control group may use");
  write("sys/fs/cgroup/user.slice/job/memory.max", "max\n");
  EXPECT_EQ(limit().bytes, 16 * kGiB);
  write("sys/fs/cgroup/user.slice/memory.max", "1073741824\n");
  EXPECT_EQ(limit().bytes, kGiB) << "the limit of the parent group";
}

TEST_F(MemoryLimitTest, AppliesTheRootGroupInAContainer) {
  write("proc/self/cgroup", "0::/docker/0123abcd\n");
  write("sys/fs/cgroup/memory.max", "3221225472\n");
  EXPECT_EQ(limit().bytes, 3 * kGiB);
}

TEST_F(MemoryLimitTest, AppliesControlGroupsV1) {
  write("proc/self/cgroup", "11:cpu,cpuacct:/job\n4:memory:/job\n0::/\n");
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(limit().bytes, 16 * kGiB);
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "4294967296\n");
  EXPECT_EQ(limit().bytes, 4 * kGiB);
}

TEST_F(MemoryLimitTest, DamagedFilesAreIgnored) {
  write("proc/self/cgroup", "0::/../../../../etc\n:::\nnothing\n0:\n");
  write("sys/fs/cgroup/memory.max", "-3\n");
  write("proc/meminfo", "MemTotal: a lot\n");
  EXPECT_GE(limit().bytes, 16 * kGiB);
}

TEST_F(MemoryLimitTest, AppliesResourceLimits) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit own{kGiB, kGiB};
    ::setrlimit(RLIMIT_AS, &own);
    ::_exit(limit().bytes == kGiB && limit().reason == "ulimit -v allows" ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace tilestep::memory_limit_test
