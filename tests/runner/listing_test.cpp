// SPDX-License-Identifier: Apache-2.0
#include "runner/listing.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/service.h"

namespace tilestep::runner::listing_test {

constexpr std::chrono::seconds kLimit{60};

TEST(Listing, HasTheProgramsNameAndTests) {
  const Listing listing = listTests(RUNNER_CASES, kLimit);
  EXPECT_FALSE(listing.failure);
  EXPECT_EQ(listing.program.name, "runner_cases");
  EXPECT_GT(listing.program.tests.size(), 5U);
}

TEST(Listing, AProgramWithoutTestsIsAFailure) {
  const Listing listing = listTests("/bin/true", kLimit);
  ASSERT_TRUE(listing.failure);
  EXPECT_EQ(listing.failure->title, "true: its list of tests");
  EXPECT_EQ(listing.failure->status, Status::failed);
  EXPECT_EQ(listing.failure->reason, "the program has no tests");
}

TEST(Listing, TwoTestsOfOneNameAreAFailure) {
  const support::TemporaryFolder folder("listing");
  folder.write("test_twins", "#!/bin/sh\nprintf 'A.x\\nA.y\\nA.x\\n'\n");
  std::filesystem::permissions(folder.path("test_twins"), std::filesystem::perms::owner_all);
  const Listing listing = listTests(folder.path("test_twins"), kLimit);
  ASSERT_TRUE(listing.failure);
  EXPECT_EQ(listing.failure->reason, "two tests are called A.x");
}

TEST(Listing, AProgramThatFailsOrIsMissingIsAFailure) {
  const Listing listing = listTests("/bin/false", kLimit);
  ASSERT_TRUE(listing.failure);
  EXPECT_EQ(listing.failure->reason, "exit status 1");
  EXPECT_TRUE(listTests("/nowhere/test_nothing", kLimit).failure);
}

}  // namespace tilestep::runner::listing_test
