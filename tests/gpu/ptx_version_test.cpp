// SPDX-License-Identifier: Apache-2.0
// PTX of a compiler newer than the driver, and the driver compiler's messages. Needs no GPU.
#include "device/cuda/driver/ptx_version.h"

#include <gtest/gtest.h>

#include "device/cuda/driver/context.h"
#include "gpu/fake_driver.h"
#include "support/results.h"

namespace tilestep::cuda::ptx_version_test {

const char* const kPtx = "// made by a compiler\n.version 9.0\n.target sm_75\n";

TEST(PtxVersion, IsLoweredOnlyForAnOlderDriver) {
  EXPECT_EQ(ptxVersionOf(kPtx), std::optional<int>(90));
  EXPECT_EQ(ptxForDriver(kPtx, 13000), kPtx);
  EXPECT_EQ(ptxForDriver(kPtx, 13010), kPtx);
  EXPECT_EQ(ptxForDriver(kPtx, 99000), kPtx) << "a driver that is not known yet reads it";
  EXPECT_EQ(ptxForDriver(kPtx, 0), kPtx);
  EXPECT_EQ(ptxForDriver(kPtx, 12020), "// made by a compiler\n.version 8.2\n.target sm_75\n");
  EXPECT_EQ(ptxVersionOf(ptxForDriver(kPtx, 12060)), std::optional<int>(85));
  EXPECT_EQ(ptxVersionOf(ptxForDriver(kPtx, 11040)), std::optional<int>(74));
  EXPECT_EQ(ptxForDriver(".version 7.8\n", 12020), ".version 7.8\n");
  EXPECT_EQ(ptxForDriver("no version", 12020), "no version");
  EXPECT_EQ(ptxVersionOf(""), std::nullopt);
}

Result<ContextPtr> contextOf(const test::FakeDriver& fake) {
  return Context::open(fake.driver(), 0);
}

TEST(PtxVersion, AnOldDriverGetsAVersionThatItAccepts) {
  test::FakeDriver fake;
  fake.version = 12020;
  const auto context = contextOf(fake);
  ASSERT_TRUE(context.ok());
  ASSERT_TRUE(loadModule(*context, kPtx).ok());
  ASSERT_EQ(fake.loaded.size(), 1U);
  EXPECT_EQ(ptxVersionOf(fake.loaded[0]), std::optional<int>(82));
}

TEST(PtxVersion, ARefusalNamesBothVersionsAndTheRemedy) {
  test::FakeDriver fake;
  fake.version = 12020;
  fake.onLoad = kUnsupportedPtxVersion;
  fake.errorLog = "ptxas fatal: something newer";
  const auto context = contextOf(fake);
  ASSERT_TRUE(context.ok());
  const auto module = loadModule(*context, kPtx);
  ASSERT_FALSE(module.ok());
  for (const char* part : {"PTX 9.0", "CUDA 12.2", "PTX 8.2", "newer driver", "CUDA_HOME",
                           "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "something newer"}) {
    EXPECT_TRUE(has(module.error().message, part));
  }
  fake.version = 13000;
  const auto same = loadModule(*context, kPtx);
  ASSERT_FALSE(same.ok());
  EXPECT_FALSE(has(same.error().message, "newer driver"));
}

constexpr const char* kLog =
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function 'matmul_2' for 'sm_90'\n"
    "ptxas info    : Function properties for matmul_2\n"
    "    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\n"
    "ptxas info    : Compiling entry function 'matmul' for 'sm_90'\n"
    "ptxas info    : Function properties for matmul\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 32 registers, 376 bytes cmem[0]\n";

TEST(Spills, AreReadFromTheCompilersLog) {
  const auto one = spillsOf(kLog, "matmul");
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->storeBytes, 0U);
  const auto other = spillsOf(kLog, "matmul_2");
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(other->storeBytes, 4U);
  EXPECT_EQ(other->loadBytes, 12U);
  EXPECT_FALSE(spillsOf(kLog, "transpose").has_value());
  EXPECT_FALSE(spillsOf("", "matmul").has_value());
  const std::string whole(kLog);
  for (size_t size = 0; size < whole.size(); ++size) {
    static_cast<void>(spillsOf(whole.substr(0, size), "matmul"));
  }
}

}  // namespace tilestep::cuda::ptx_version_test
