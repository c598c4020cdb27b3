// SPDX-License-Identifier: Apache-2.0
#include "lab/devices/device_lock.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

namespace tilestep::lab {
namespace device_lock_test {

class DeviceLockTest : public testing::Test {
 protected:
  void SetUp() override { folder_ = ::mkdtemp(folder_.data()); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  Result<DeviceLock> take(const std::string& place, const device::Cancelled& cancelled) {
    return DeviceLock::take(folder_, place, cancelled,
                            [this](int seconds, const std::string&) { told_ = seconds; });
  }
  static bool atOnce() { return true; }

  std::string folder_ = testing::TempDir() + "tilestep-lock-XXXXXX";
  std::atomic<int> told_{-1};
};

TEST_F(DeviceLockTest, ASecondOneWaitsUntilTheFirstIsGone) {
  auto first = take("a", {});
  ASSERT_TRUE(first);
  std::atomic<bool> taken{false};
  std::thread second([&] { taken = take("a", {}).ok(); });
  while (told_ < 0) std::this_thread::yield();
  EXPECT_FALSE(taken);
  *first = DeviceLock();
  second.join();
  EXPECT_TRUE(taken);
}

TEST_F(DeviceLockTest, OneThatIsCancelledWaitsNoLonger) {
  const auto first = take("a", {});
  const auto second = take("a", atOnce);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, "Cancelled.");
}

TEST_F(DeviceLockTest, AnotherPlaceIsFree) {
  const auto first = take("a", atOnce), second = take("b", atOnce);
  EXPECT_TRUE(first && second);
  EXPECT_EQ(told_, -1);
}

TEST_F(DeviceLockTest, WithoutAFolderItGoesOn) {
  EXPECT_TRUE(DeviceLock::take("/no/such/folder", "a", atOnce, [](int, const std::string&) {}));
}

/// Opening a pipe that nobody writes to would block, where not even cancelling is looked at.
TEST_F(DeviceLockTest, APipeInItsPlaceIsNoLock) {
  ASSERT_EQ(::mkfifo((folder_ + "/tilestep-a.lock").c_str(), 0644), 0);
  EXPECT_TRUE(take("a", {}));
}

TEST_F(DeviceLockTest, ALinkInItsPlaceIsNotFollowed) {
  const std::string target = folder_ + "/target";
  std::filesystem::create_symlink(target, folder_ + "/tilestep-a.lock");
  EXPECT_TRUE(take("a", {}));
  EXPECT_FALSE(std::filesystem::exists(target));
}

TEST_F(DeviceLockTest, WaitingNamesTheHolderAndHasAnEnd) {
  const auto first = take("a", {});
  std::string holder;
  const auto second = DeviceLock::take(
      folder_, "a", {}, [&](int, const std::string& by) { holder = by; }, std::chrono::seconds(0));
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("process " + std::to_string(::getpid())), std::string::npos)
      << second.error().message;
}

}  // namespace device_lock_test
}  // namespace tilestep::lab
