// SPDX-License-Identifier: Apache-2.0
// Workers that a cluster starts: a real Slurm with one node, with its munge, in a temporary folder.
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "support/results.h"
#include "support/service.h"
#include "support/skips.h"
#include "support/tool.h"
#include "system/run_support.h"

namespace tilestep::system_test::slurm_test {

using support::TemporaryFolder;
using support::Words;

/// munged, slurmctld and slurmd of this user. The node's single GPU is /dev/zero.
class Slurm {
 public:
  Slurm() {
    for (const char* program : {"munged", "slurmctld", "slurmd", "srun", "sinfo"}) {
      if (!support::findProgram(program).empty()) continue;
      absent_ = std::string(program) + " is not installed (Debian: slurmctld slurmd munge)";
      return;
    }
    writeConfiguration();
    start();
    if (!support::becomesTrue(30, [this] { return nodeIsIdle(); })) {
      trouble_ = "Slurm does not start: " + folder_.read("slurmctld.log") +
                 folder_.read("slurmd.log") + folder_.read("munged.log");
    }
  }
  /// The missing programs; empty if all are installed.
  [[nodiscard]] const std::string& absent() const { return absent_; }
  /// Why it does not run although it is installed; empty if it runs.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  [[nodiscard]] Words environment() const { return {"SLURM_CONF=" + folder_.path("slurm.conf")}; }
  [[nodiscard]] static std::string worker() {
    std::string command = "srun --quiet --gres=gpu:1 env";
    for (const std::string& variable : support::tilestepEnvironment()) command += " " + variable;
    return command + " " + support::tilestepWords({})[0] + " worker --threads 1";
  }
  [[nodiscard]] support::Finished ask(const Words& words) const {
    return support::Running(words, environment()).wait();
  }

 private:
  void writeConfiguration() const {
    char name[256] = {};
    ::gethostname(name, sizeof name - 1);
    const std::string full(name), host = full.substr(0, full.find('.'));
    const std::string user = ::getpwuid(::getuid())->pw_name;
    std::string text = "ClusterName=tilestep\nSlurmctldHost=" + host +
                       "(127.0.0.1)\nSlurmUser=" + user + "\nSlurmdUser=" + user;
    for (const char* port : {"SlurmctldPort", "SlurmdPort"}) {
      text += std::string("\n") + port + "=" + std::to_string(support::freePort());
    }
    text += "\nAuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket=" +
            folder_.path("munge.socket");
    for (const auto& [key, file] :
         {std::pair("StateSaveLocation", "state"), std::pair("SlurmdSpoolDir", "spool"),
          std::pair("SlurmctldPidFile", "slurmctld.pid"), std::pair("SlurmdPidFile", "slurmd.pid"),
          std::pair("SlurmctldLogFile", "slurmctld.log"),
          std::pair("SlurmdLogFile", "slurmd.log")}) {
      text += std::string("\n") + key + "=" + folder_.path(file);
    }
    folder_.write("slurm.conf",
                  text +
                      "\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
                      "MpiDefault=none\nJobAcctGatherType=jobacct_gather/none\nGresTypes=gpu\n"
                      "SelectType=select/cons_tres\nReturnToService=2\nNodeName=" +
                      host +
                      " NodeAddr=127.0.0.1 CPUs=1 Gres=gpu:1 State=UNKNOWN\n"
                      "PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=YES\n");
    folder_.write("cgroup.conf", "CgroupPlugin=cgroup/v1\n");
    folder_.write("gres.conf", "Name=gpu File=/dev/zero\n");
    std::filesystem::create_directory(folder_.path("state"));
    std::filesystem::create_directory(folder_.path("spool"));
    std::string key;
    std::random_device random;
    while (key.size() < 1024) key += static_cast<char>(random());
    folder_.write("munge.key", key);
    ::chmod(folder_.path("munge.key").c_str(), 0600);
    ::chmod(folder_.path().c_str(), 0755);
  }

  void start() {
    munged_ = std::make_unique<support::Running>(
        Words{support::findProgram("munged"), "--force", "--foreground", "--socket",
              folder_.path("munge.socket"), "--key-file", folder_.path("munge.key"), "--pid-file",
              folder_.path("munged.pid"), "--log-file", folder_.path("munged.log"), "--seed-file",
              folder_.path("munge.seed")});
    support::becomesTrue(10,
                         [this] { return std::filesystem::exists(folder_.path("munge.socket")); });
    for (auto* daemon : {&slurmctld_, &slurmd_}) {
      const char* name = daemon == &slurmctld_ ? "slurmctld" : "slurmd";
      *daemon = std::make_unique<support::Running>(Words{support::findProgram(name), "-D"},
                                                   environment());
    }
  }
  [[nodiscard]] bool nodeIsIdle() const { return ask({"sinfo", "-h", "-o", "%T"}).out == "idle\n"; }

  TemporaryFolder folder_{"slurm"};
  std::string absent_, trouble_;
  std::unique_ptr<support::Running> munged_, slurmctld_, slurmd_;
};

class SlurmTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { slurm = std::make_unique<Slurm>(); }
  static void TearDownTestSuite() { slurm.reset(); }
  void SetUp() override {
    if (!slurm->absent().empty()) {
      GTEST_SKIP() << support::because(support::kNoSlurm, slurm->absent());
    }
    ASSERT_EQ(slurm->trouble(), "");
  }
  inline static std::unique_ptr<Slurm> slurm;
};

TEST_F(SlurmTest, ARunInAJobEqualsALocalRun) {
  const Words run{"matmul_tiled", "--size", "24", "--check", "--counters"};
  Words remote = run;
  remote.insert(remote.end(), {"--worker", Slurm::worker()});
  const auto there = runJson(remote, slurm->environment()), here = runJson(run);
  EXPECT_EQ(there["output_hash"], here["output_hash"]);
  EXPECT_EQ(there["counters"], here["counters"]);
}

TEST_F(SlurmTest, AWorkerInTheQueueDoesNotDelayOthers) {
  // The node has one GPU, so the second worker never starts, and ends with the sweep.
  const support::Finished sweep =
      support::tilestep({"sweep", "matmul_tiled", "--set", "TILE_WIDTH=2,4,8,16", "--size", "20",
                         "--device", "simt", "--worker", Slurm::worker(), "--workers", "2"},
                        slurm->environment());
  EXPECT_EQ(sweep.status, 0) << sweep.err;
  EXPECT_TRUE(support::becomesTrue(20, [] {
    return slurm->ask({"squeue", "-h", "-t", "PENDING,RUNNING"}).out.empty();
  })) << "no job may be left behind";
}

TEST_F(SlurmTest, AJobThatTheClusterEndsLosesNoPoint) {
  support::Running sweep(
      support::tilestepWords({"sweep", "matmul_tiled", "--set", "TILE_WIDTH=2,4,8,16", "--size",
                              "300", "--device", "simt", "--worker", Slurm::worker()}),
      support::tilestepEnvironment(slurm->environment()));
  const auto jobs = [] { return slurm->ask({"squeue", "-h", "-t", "RUNNING", "-o", "%i"}).out; };
  ASSERT_TRUE(support::becomesTrue(30, [&] { return !jobs().empty(); }));
  const std::string job = jobs();
  EXPECT_EQ(slurm->ask({"scancel", job.substr(0, job.find('\n'))}).status, 0);
  const support::Finished finished = sweep.wait();
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_FALSE(has(finished.out, "failed"));
}

TEST_F(SlurmTest, AJobThatTheClusterRefusesIsExplained) {
  std::string wrong = Slurm::worker();
  wrong.replace(wrong.find("gpu:1"), 5, "gpu:9");
  const support::Finished run = support::tilestep(
      {"run", "matmul_tiled", "--size", "8", "--worker", wrong}, slurm->environment());
  EXPECT_EQ(run.status, 2);
  EXPECT_TRUE(
      has(run.err, "started no Tilestep worker: it ended with exit status 1: srun: error: "));
}

}  // namespace tilestep::system_test::slurm_test
