// SPDX-License-Identifier: Apache-2.0
#include "base/process/file_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "base/files.h"
#include "support/own_process.h"
#include "support/results.h"
#include "support/service.h"
#include "support/skips.h"

namespace tilestep::file_lock_test {

const support::OwnProcess ownProcess{"FileLockTest"};

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds kLong{60'000};

/// Runs work(0) to work(count - 1) in concurrent processes and returns their exit statuses.
std::vector<int> inProcesses(int count, const std::function<int(int)>& work) {
  std::vector<pid_t> processes;
  for (int i = 0; i < count; ++i) {
    const pid_t process = ::fork();
    if (process == 0) ::_exit(work(i));
    processes.push_back(process);
  }
  std::vector<int> statuses;
  for (const pid_t process : processes) {
    int status = -1;
    ::waitpid(process, &status, 0);
    statuses.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : 255);
  }
  return statuses;
}

class FileLockTest : public testing::Test {
 protected:
  [[nodiscard]] Result<FileLock> take(milliseconds patience = milliseconds(0)) const {
    return FileLock::take(file_, patience);
  }

  const support::TemporaryFolder own_{"file-lock"};
  const fs::path folder_ = own_.path(), file_ = folder_ / "data.csv",
                 lockFile_ = folder_ / "data.csv.lock";
};

TEST_F(FileLockTest, TenWritersAtOnceLoseNothing) {
  constexpr int kWriters = 10, kLines = 20;
  const auto write = [&](int writer) {
    for (int line = 0; line < kLines; ++line) {
      const Result<FileLock> lock = take(kLong);
      if (!lock || !lock->isHeld()) return 1;
      const Result<std::string> text =
          fs::exists(file_) ? readTextFile(file_) : Result<std::string>(std::string());
      const std::string added = std::to_string(writer) + "," + std::to_string(line) + "\n";
      if (!text || !writeFileAtomically(file_, *text + added)) return 2;
    }
    return 0;
  };
  EXPECT_EQ(inProcesses(kWriters, write), std::vector<int>(kWriters, 0));
  const std::string text = readTextFile(file_).value();
  EXPECT_EQ(std::ranges::count(text, '\n'), kWriters * kLines);
}

TEST_F(FileLockTest, ASecondLockIsRefusedAndNamesTheHolder) {
  const Result<FileLock> first = take();
  ASSERT_TRUE(first && first->isHeld());
  const Result<FileLock> second = take(milliseconds(5));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::request);
  const std::string start =
      file_.string() + " is being written by process " + std::to_string(::getpid()) + " of ";
  EXPECT_TRUE(second.error().message.starts_with(start)) << second.error().message;
}

TEST_F(FileLockTest, ReleaseRemovesTheLockFile) {
  {
    Result<FileLock> lock = take();
    ASSERT_TRUE(lock && lock->isHeld());
    FileLock moved = std::move(*lock);
    EXPECT_TRUE(fs::exists(lockFile_));
    EXPECT_FALSE(take());
  }
  EXPECT_FALSE(fs::exists(lockFile_));
  const Result<FileLock> next = take();
  EXPECT_TRUE(next && next->isHeld());
}

TEST_F(FileLockTest, IsFreeAfterItsOwnerIsKilled) {
  std::array<int, 2> ready{};
  ASSERT_EQ(::pipe2(ready.data(), O_CLOEXEC), 0);
  const pid_t owner = ::fork();
  if (owner == 0) {
    const Result<FileLock> lock = take();
    const char said = lock && lock->isHeld() ? 'y' : 'n';
    if (::write(ready[1], &said, 1) != 1) ::_exit(1);
    while (true) ::pause();
  }
  char said = '?';
  EXPECT_EQ(::read(ready[0], &said, 1), 1);
  EXPECT_EQ(said, 'y');
  EXPECT_FALSE(take());
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
  const Result<FileLock> next = take();
  EXPECT_TRUE(next && next->isHeld()) << "although the lock file still exists";
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(FileLockTest, TwoNamesOfOneFileHaveOneLock) {
  ASSERT_TRUE(writeFileAtomically(file_, "a"));
  fs::create_symlink("data.csv", folder_ / "link.csv");
  const Result<FileLock> lock = take();
  EXPECT_FALSE(FileLock::take(folder_ / "link.csv", milliseconds(0)));
  EXPECT_TRUE(FileLock::take(folder_ / "other.csv", milliseconds(0)));
}

TEST_F(FileLockTest, ALinkAsLockFileIsRefusedAndNotFollowed) {
  const fs::path target = folder_ / "target";
  fs::create_symlink(target, lockFile_);
  EXPECT_TRUE(fails(take(), lockFile_.string() + " is not an empty file"));
  EXPECT_FALSE(fs::exists(target));
}

mode_t permissionsOf(const fs::path& file) {
  struct stat about {};
  return ::stat(file.c_str(), &about) == 0 ? about.st_mode & 07777 : 0;
}

TEST_F(FileLockTest, ANonEmptyLockFileIsUnchanged) {
  ASSERT_TRUE(writeFileAtomically(lockFile_, "the packages of a project"));
  ASSERT_EQ(::chmod(lockFile_.c_str(), 0644), 0);
  EXPECT_TRUE(fails(take(), "is not an empty file"));
  EXPECT_EQ(readTextFile(lockFile_).value(), "the packages of a project");
  EXPECT_EQ(permissionsOf(lockFile_), 0644U);
}

TEST_F(FileLockTest, AFileWithASecondHardLinkIsUnchanged) {
  const fs::path other = folder_ / "other";
  std::ofstream(other).close();
  ASSERT_EQ(::chmod(other.c_str(), 0644), 0);
  fs::create_hard_link(other, lockFile_);
  EXPECT_FALSE(take());
  EXPECT_EQ(permissionsOf(other), 0644U);
}

/// Any process that can open a file, even for reading only, can lock it.
TEST_F(FileLockTest, LockFileHasTheWritePermissionsOfTheFile) {
  {
    const Result<FileLock> lock = take();
    EXPECT_EQ(permissionsOf(lockFile_), 0600U) << "the folder is accessible to this user only";
  }
  ASSERT_TRUE(writeFileAtomically(file_, "a"));
  ASSERT_EQ(::chmod(file_.c_str(), 0664), 0);
  {
    const Result<FileLock> lock = take();
    EXPECT_EQ(permissionsOf(lockFile_), 0660U);
  }
  ASSERT_EQ(::chmod(file_.c_str(), 0644), 0);
  std::ofstream(lockFile_).close();  // A lock file of an earlier version.
  ASSERT_EQ(::chmod(lockFile_.c_str(), 0644), 0);
  const Result<FileLock> lock = take();
  EXPECT_EQ(permissionsOf(lockFile_), 0600U);
}

TEST_F(FileLockTest, GroupMembersWhoMayReplaceTheFileMayLockIt) {
  const std::filesystem::path before = std::filesystem::current_path();
  const std::filesystem::path folder = std::filesystem::path(lockFile_).parent_path();
  ASSERT_EQ(::chmod(folder.c_str(), 0770), 0);
  std::filesystem::current_path(folder);
  for (const bool isThere : {false, true}) {
    if (isThere) std::ofstream("new.csv").close();
    const Result<FileLock> lock = FileLock::take("new.csv", std::chrono::milliseconds(0));
    EXPECT_EQ(permissionsOf("new.csv.lock"), 0660U) << isThere;
  }
  std::filesystem::current_path(before);
}

/// Opening a pipe without a writer would block forever.
TEST_F(FileLockTest, APipeOrAFolderAsLockFileIsRefused) {
  ASSERT_EQ(::mkfifo(lockFile_.c_str(), 0644), 0);
  EXPECT_FALSE(take());
  fs::remove(lockFile_);
  fs::create_directory(lockFile_);
  EXPECT_FALSE(take());
}

TEST_F(FileLockTest, DevicesAndMissingFoldersAreNotLocked) {
  for (const fs::path& file : {fs::path("/dev/null"), folder_ / "none" / "data.csv"}) {
    const Result<FileLock> lock = FileLock::take(file, milliseconds(0));
    ASSERT_TRUE(lock) << lock.error().message;
    EXPECT_FALSE(lock->isHeld());
    EXPECT_EQ(lock->note(), "");
  }
}

/// Makes flock() fail in this process from now on, as it does on a file system without locks.
bool haveNoLocks() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_flock, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOLCK),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{std::size(program), program};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST_F(FileLockTest, AFileSystemWithoutLocksGivesANote) {
  const auto tryIt = [&](int) {
    if (!haveNoLocks()) return 77;
    const Result<FileLock> lock = take();
    if (!lock || lock->isHeld()) return 1;
    return lock->note().find("cannot be locked (No locks available)") != std::string::npos ? 0 : 2;
  };
  const int status = inProcesses(1, tryIt).front();
  if (status == 77) GTEST_SKIP() << support::because(support::kNoSeccomp);
  EXPECT_EQ(status, 0);
}

}  // namespace tilestep::file_lock_test
