// SPDX-License-Identifier: Apache-2.0
// Commands that start no worker, and workers that start after a login's output.
#include <gtest/gtest.h>

#include <utility>

#include "support/results.h"
#include "unit/worker/fakes.h"
#include "worker/frame.h"

namespace tilestep::worker::no_worker_test {

/// The Error of the first request, which is of kind request and says what to do.
std::string complaintOf(const std::string& command, const Patience& patience = {}) {
  auto client = Client::start({command, 0, patience});
  EXPECT_TRUE(client) << command;
  if (!client) return {};
  const Reply reply = (*client)->wait((*client)->devices());
  EXPECT_TRUE(reply.lost) << command;
  const std::string complaint = errorOf(reply);
  EXPECT_EQ(std::get<Error>(reply.body).kind, ErrorKind::request);
  EXPECT_TRUE(has(complaint, "the command '"));
  EXPECT_TRUE(has(complaint, "started no Tilestep worker"));
  EXPECT_TRUE(has(complaint, "--worker \"ssh HOST tilestep worker\""));
  return complaint;
}

TEST(NoWorker, OutputOfAnotherProgramIsShown) {
  for (const auto& [command, part] : {
           std::pair{"echo hello", "it printed \"hello\" and ended with exit status 0;"},
           {"printf 'no line break'", "it printed \"no line break\""},
           {"sh -c 'echo Welcome; echo tilestep: command not found >&2; exit 127'",
            "it printed \"Welcome\" and ended with exit status 127: tilestep: command not found;"},
           {"cat", "it echoes its input"},
           {"yes we can", "beginning with \"we can\""},
       })
    EXPECT_TRUE(has(complaintOf(command), part));
  EXPECT_TRUE(has(complaintOf("'" + fakeWorker() + "' flood"), "65536 bytes"));
}

TEST(NoWorker, AMissingProgramIsReportedAtOnce) {
  const auto client = Client::start({"no-such-program-here", 0, {}});
  ASSERT_FALSE(client.ok());
  EXPECT_EQ(client.error().kind, ErrorKind::request);
  EXPECT_TRUE(has(client.error().message,
                  "the command 'no-such-program-here' started no Tilestep worker: cannot start "
                  "no-such-program-here: No such file or directory; install it"));
  EXPECT_TRUE(has(client.error().message, "--worker \"ssh HOST tilestep worker\""));
}

TEST(NoWorker, SilentCommandsAreReported) {
  Patience patience;
  patience.start = 0.2;
  EXPECT_TRUE(
      has(complaintOf("'" + fakeWorker() + "' 'say nothing'", patience), "it did not answer for"));
  EXPECT_TRUE(has(complaintOf("sleep 1000", patience), "it did not answer for"));
}

TEST(NoWorker, AnotherVersionIsReported) {
  EXPECT_TRUE(
      has(complaintOf("printf 'TSW1\\001\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000'"),
          "protocol version 1, this program version " + std::to_string(kProtocolVersion) +
              "; install the same Tilestep on both"));
}

TEST(NoWorker, LoginGreetingsAreSkipped) {
  const auto client = startFake("greet");
  EXPECT_EQ(resultFor(*client, "a").kernel, "a");
}

TEST(NoWorker, ProgressReportsTheStart) {
  Patience patience;
  patience.start = 1.5;
  auto client = Client::start({"sleep 1000", 0, patience});
  ASSERT_TRUE(client);
  const uint64_t id = (*client)->devices();
  std::optional<Progress> progress;
  while (!progress) progress = (*client)->progress();
  EXPECT_EQ(progress->id, id);
  EXPECT_EQ(progress->stage, "starting sleep 1000 for 1 s");
}

}  // namespace tilestep::worker::no_worker_test
