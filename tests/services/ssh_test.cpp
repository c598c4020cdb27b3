// SPDX-License-Identifier: Apache-2.0
// Workers behind ssh: a real sshd on loopback, with temporary keys.
#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "support/results.h"
#include "support/service.h"
#include "support/skips.h"
#include "support/tool.h"
#include "system/run_support.h"
#include "worker/client.h"

namespace tilestep::system_test::ssh_test {

using support::TemporaryFolder;
using support::Words;

/// An sshd of this user on a free port of loopback, and a configuration for its clients with two
/// hosts: `node`, and `chatty`, whose login prints a greeting.
class Sshd {
 public:
  Sshd() {
    sshd_ = support::findProgram("sshd");
    if (sshd_.empty() || support::findProgram("ssh").empty()) {
      absent_ = "sshd is not installed (Debian: openssh-server)";
      return;
    }
    makeKeys();
    writeConfiguration();
    // The empty folder of its unprivileged part, which the package's service would create.
    if (::getuid() == 0) std::filesystem::create_directories("/run/sshd");
    daemon_ = std::make_unique<support::Running>(
        Words{sshd_, "-D", "-f", folder_.path("sshd_config"), "-E", folder_.path("sshd.log")});
    if (!support::becomesTrue(10, [this] { return support::accepts(port_); })) {
      trouble_ = "sshd does not start: " + folder_.read("sshd.log");
    }
  }

  /// The missing programs; empty if all are installed.
  [[nodiscard]] const std::string& absent() const { return absent_; }
  /// Why it does not run although it is installed; empty if it runs.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  [[nodiscard]] const support::Running& daemon() const { return *daemon_; }
  /// Only in the environment of its workers.
  [[nodiscard]] std::string mark() const { return "TILESTEP_TEST_MARK=" + folder_.path(); }
  [[nodiscard]] std::string worker(const std::string& host) const {
    std::string command = "ssh -F " + folder_.path("ssh_config") + " " + host + " env " + mark();
    for (const std::string& variable : support::tilestepEnvironment()) command += " " + variable;
    return command + " " + support::tilestepWords({})[0] + " worker --threads 1";
  }

 private:
  void makeKeys() const {
    for (const char* name : {"host_key", "key", "chatty_key"}) {
      support::Running({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder_.path(name)})
          .wait();
    }
    folder_.write("authorized_keys",
                  folder_.read("key.pub") +
                      "command=\"echo; echo Welcome to this machine; echo Loading modules >&2; "
                      "eval \\\"$SSH_ORIGINAL_COMMAND\\\"\" " +
                      folder_.read("chatty_key.pub"));
  }
  void writeConfiguration() const {
    folder_.write("sshd_config",
                  "Port " + std::to_string(port_) + "\nListenAddress 127.0.0.1\nHostKey " +
                      folder_.path("host_key") + "\nAuthorizedKeysFile " +
                      folder_.path("authorized_keys") + "\nPidFile " + folder_.path("sshd.pid") +
                      "\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n"
                      "PasswordAuthentication no\n");
    std::string hosts;
    for (const auto& [host, key] : {std::pair("node", "key"), std::pair("chatty", "chatty_key")}) {
      hosts += std::string("Host ") + host + "\nIdentityFile " + folder_.path(key) + "\n";
    }
    folder_.write("ssh_config", hosts + "Host *\nHostName 127.0.0.1\nPort " +
                                    std::to_string(port_) + "\nUser " +
                                    ::getpwuid(::getuid())->pw_name +
                                    "\nIdentitiesOnly yes\nStrictHostKeyChecking no\n"
                                    "UserKnownHostsFile /dev/null\nBatchMode yes\n"
                                    "LogLevel ERROR\n");
  }

  TemporaryFolder folder_{"sshd"};
  int port_ = support::freePort();
  std::string sshd_, absent_, trouble_;
  std::unique_ptr<support::Running> daemon_;
};

class Ssh : public testing::Test {
 protected:
  static void SetUpTestSuite() { sshd = std::make_unique<Sshd>(); }
  static void TearDownTestSuite() { sshd.reset(); }
  void SetUp() override {
    if (!sshd->absent().empty()) {
      GTEST_SKIP() << support::because(support::kNoSshServer, sshd->absent());
    }
    ASSERT_EQ(sshd->trouble(), "");
  }

  static std::unique_ptr<worker::Client> client(const worker::Patience& patience = {}) {
    auto started = worker::Client::start({sshd->worker("node"), 0, patience});
    EXPECT_TRUE(started);
    return std::move(*started);
  }
  static std::string errorOf(const worker::Reply& reply) {
    const auto* error = std::get_if<Error>(&reply.body);
    return error ? error->message : "";
  }
  /// Sends a signal to the server's process of every connection.
  static void signalSessions(int number) {
    for (const pid_t session : support::childrenOf(sshd->daemon().id())) ::kill(session, number);
  }
  static bool noWorkerIsLeft() { return support::processesWith(sshd->mark()).empty(); }

  inline static std::unique_ptr<Sshd> sshd;
};

TEST_F(Ssh, ARemoteRunEqualsALocalRun) {
  const Words run{"matmul_tiled", "--size", "24", "--check", "--counters"};
  Words remote = run;
  remote.insert(remote.end(), {"--worker", sshd->worker("node")});
  const auto there = runJson(remote), here = runJson(run);
  EXPECT_EQ(there["output_hash"], here["output_hash"]);
  EXPECT_EQ(there["counters"], here["counters"]);
}

TEST_F(Ssh, AGreetingBeforeTheWorkerIsHarmless) {
  const auto there = runJson({"matmul_tiled", "--size", "8", "--worker", sshd->worker("chatty")});
  EXPECT_EQ(there["device"]["id"], "simt");
}

TEST_F(Ssh, AHostThatRefusesIsExplained) {
  std::string wrong = sshd->worker("node");
  wrong.replace(wrong.find(" node "), 6, " -p 1 node ");
  const support::Finished run =
      support::tilestep({"run", "matmul_tiled", "--size", "8", "--worker", wrong});
  EXPECT_EQ(run.status, 2);
  EXPECT_TRUE(has(run.err,
                  "started no Tilestep worker: it ended with exit status 255: ssh: connect "
                  "to host 127.0.0.1 port 1: Connection refused"));
}

TEST_F(Ssh, AClosedConnectionIsNoticedAndTheNextRequestWorks) {
  const auto client = Ssh::client();
  EXPECT_EQ(errorOf(client->wait(client->devices())), "");
  signalSessions(SIGKILL);
  EXPECT_EQ(errorOf(client->wait(client->devices())), "")
      << "what no worker had begun goes to another one";
}

TEST_F(Ssh, ADeadConnectionIsNoticed) {
  worker::Patience patience;
  patience.silence = 2;
  const auto client = Ssh::client(patience);
  EXPECT_EQ(errorOf(client->wait(client->devices())), "");
  signalSessions(SIGSTOP);
  EXPECT_EQ(errorOf(client->wait(client->devices())), "") << "by another connection";
  signalSessions(SIGKILL);
}

TEST_F(Ssh, TheWorkerEndsWithItsClient) {
  auto client = Ssh::client();
  EXPECT_EQ(errorOf(client->wait(client->devices())), "");
  EXPECT_FALSE(noWorkerIsLeft());
  client.reset();
  EXPECT_TRUE(support::becomesTrue(20, noWorkerIsLeft));
}

TEST_F(Ssh, ASweepOnTwoHostsEqualsALocalSweep) {
  const Words sweep{"sweep", "matmul_tiled", "--set", "TILE_WIDTH=2:33:3", "--size",
                    "20,33", "--device",     "simt",  "--counters"};
  const support::Finished here = support::tilestep(sweep);
  Words remote = sweep;
  remote.insert(remote.end(), {"--worker", sshd->worker("node"), "--workers", "2"});
  const support::Finished there = support::tilestep(remote);
  EXPECT_EQ(there.status, 0) << there.err;
  EXPECT_EQ(there.out, here.out);
}

}  // namespace tilestep::system_test::ssh_test
