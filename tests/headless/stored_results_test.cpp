// SPDX-License-Identifier: Apache-2.0
// That stored results come back whole, and that the headless window knows when its threads work.
#include "stored/stored_results.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "support/service.h"
#include "support/thread_states.h"

namespace tilestep::tests {
namespace stored_results_test {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& file) {
  std::ostringstream content;
  content << std::ifstream(file, std::ios::binary).rdbuf();
  return content.str();
}

TEST(StoredResults, ComeBackAsTheyWerePacked) {
  const support::TemporaryFolder folder("stored");
  fs::create_directories(folder.path("from"));
  const std::string bytes("line\n\0end", 9);
  folder.write("from/a.ptxcache", bytes);
  folder.write("from/b.ptxcache", "");
  folder.write("from/other.txt", "no result");
  packFolder(folder.path("from"), folder.path("pack.gz"));
  unpackFolder(folder.path("pack.gz"), folder.path("to"));
  EXPECT_EQ(contentOf(folder.path("to/a.ptxcache")), bytes);
  EXPECT_TRUE(fs::exists(folder.path("to/b.ptxcache")));
  EXPECT_FALSE(fs::exists(folder.path("to/other.txt")));
}

TEST(StoredResults, ADamagedPackIsRefusedAndWritesNowhereElse) {
  const support::TemporaryFolder folder("stored");
  for (const char* text : {"a.ptxcache", "a.ptxcache 5\nbits", "../a.ptxcache 1\nx", "5\nabcde"}) {
    folder.write("pack.gz", text);  // zlib reads what is not compressed as it is.
    EXPECT_THROW(unpackFolder(folder.path("pack.gz"), folder.path("to")), std::runtime_error)
        << text;
  }
  EXPECT_FALSE(fs::exists(folder.path("a.ptxcache")));
  EXPECT_THROW(unpackFolder(folder.path("none.gz"), folder.path("to")), std::runtime_error);
}

TEST(ThreadStates, AThreadThatWorksDoesNotSleep) {
  std::atomic<bool> works = true, ends = false;
  std::thread thread([&] {
    while (works) {
    }
    ends.wait(false);
  });
  EXPECT_FALSE(support::otherThreadsSleep());
  works = false;
  while (!support::otherThreadsSleep()) std::this_thread::yield();
  ends = true;
  ends.notify_all();
  thread.join();
}

}  // namespace stored_results_test
}  // namespace tilestep::tests
