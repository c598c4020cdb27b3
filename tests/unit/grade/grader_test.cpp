// SPDX-License-Identifier: Apache-2.0
#include "grade/grader.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "support/results.h"
#include "support/service.h"
#include "unit/grade/specs.h"

namespace tilestep::grade::grader_test {

using Answer = std::function<worker::Reply(const lab::Experiment&)>;

/// A worker that answers at once.
class FakeClient : public worker::Client {
 public:
  FakeClient(Answer answer, int& alive) : answer_(std::move(answer)), alive_(alive) { ++alive_; }
  ~FakeClient() override { --alive_; }
  uint64_t run(const lab::Experiment& experiment) override {
    worker::Reply reply = answer_(experiment);
    reply.id = ++last_;
    replies_.push_back(std::move(reply));
    return last_;
  }
  uint64_t devices() override { return 0; }
  uint64_t ceilings(const std::string&) override { return 0; }
  uint64_t ptx(const lab::Experiment&, bool) override { return 0; }
  uint64_t live(const lab::Experiment&) override { return 0; }
  std::optional<device::LiveBatch> samples(uint64_t) override { return std::nullopt; }
  void cancel(uint64_t) override {}
  std::optional<worker::Reply> poll() override {
    if (replies_.empty()) return std::nullopt;
    worker::Reply reply = std::move(replies_.front());
    replies_.pop_front();
    return reply;
  }
  std::optional<worker::Progress> progress() override { return std::nullopt; }
  worker::Reply wait(uint64_t) override { return *poll(); }

 private:
  Answer answer_;
  int& alive_;
  uint64_t last_ = 0;
  std::deque<worker::Reply> replies_;
};

lab::RunResult right() {
  lab::RunResult result;
  result.check = lab::Check{"float64", 0, 1, 0, true};
  result.hazards.emplace();
  return result;
}

class Grader : public testing::Test {
 protected:
  support::TemporaryFolder folder{"grader"};
  Assignment assignment = sumAssignment();
  std::vector<Submission> submissions;
  std::map<std::string, Grade> grades;
  int alive = 0, most = 0, started = 0;
  std::vector<std::string> lateIds, doneIds;  ///< In the order of the events.
  StartWorker other;                          ///< Starts workers with another compiler.
  std::function<bool()> interrupted = [] { return false; };

  void submit(const std::string& id, const std::string& text) {
    folder.write(id + ".cu", text);
    submissions.push_back(
        {id, folder.path(id + ".cu"), id + ".cu", "", false, {{folder.path(), id + ".cu"}}});
  }
  [[nodiscard]] StartWorker starting(const Answer& answer) {
    return [this, answer]() -> Result<std::unique_ptr<worker::Client>> {
      ++started;
      auto client = std::make_unique<FakeClient>(answer, alive);
      most = std::max(most, alive);
      return std::unique_ptr<worker::Client>(std::move(client));
    };
  }
  void grade(const Answer& answer, unsigned workers = 2) { gradeWith(starting(answer), workers); }
  void gradeWith(const StartWorker& start, unsigned workers = 2) {
    GraderEvents events;
    events.done = [&](size_t index, Grade grade) {
      EXPECT_EQ(grade.id, submissions[index].id);
      doneIds.push_back(grade.id);
      grades[grade.id] = std::move(grade);
    };
    events.late = [&](size_t index) { lateIds.push_back(submissions[index].id); };
    events.interrupted = [&] { return interrupted(); };
    events.tick = [] {};
    gradeAll(assignment, submissions, workers, {start, other}, events);
    EXPECT_EQ(alive, 0) << "a worker outlived its submission";
  }
};

worker::Reply rightReply() {
  return {0, lab::shared(right())};
}

worker::Reply lateReply() {
  lab::RunResult result = right();
  result.check.reset();
  result.faults.emplace_back().kind = "timeout";
  return {0, lab::shared(result)};
}

/// A reply with the name of a compiler and a right or wrong result.
worker::Reply replyOf(const char* compiler, bool ok) {
  lab::RunResult result = right();
  result.compiler.name = compiler;
  result.check->ok = ok;
  return {0, lab::shared(result)};
}

worker::Reply wrongByNvrtc(const lab::Experiment& /*experiment*/) {
  return replyOf("nvrtc", false);
}

bool holds(const lab::Experiment& experiment, const char* mark) {
  return experiment.source.text.find(mark) != std::string::npos;
}

TEST_F(Grader, EachSubmissionHasItsOwnWorker) {
  for (const char* id : {"a", "b", "c", "d", "e"}) submit(id, kSum);
  grade([](const lab::Experiment&) { return rightReply(); });
  EXPECT_EQ(grades.size(), 5U);
  EXPECT_EQ(started, 5);
  EXPECT_LE(most, 2);
  for (const auto& [id, one] : grades) {
    EXPECT_EQ(one.verdict, Verdict::right) << id;
    EXPECT_EQ(one.hash.size(), 16U);
  }
}

TEST_F(Grader, AWorkerThatEndsIsReplacedOnceAndOthersContinue) {
  submit("bad", std::string("// crash\n") + kSum);
  submit("good", kSum);
  grade([](const lab::Experiment& experiment) {
    if (holds(experiment, "crash"))
      return worker::Reply{0, workError("the worker ended with signal SIGSEGV"), true};
    return rightReply();
  });
  EXPECT_EQ(grades.at("bad").verdict, Verdict::failed);
  EXPECT_TRUE(has(grades.at("bad").reason, "SIGSEGV"));
  EXPECT_EQ(grades.at("good").verdict, Verdict::right);
  EXPECT_EQ(started, 3);
}

TEST_F(Grader, ASingleCrashIsForgiven) {
  submit("unlucky", kSum);
  int crashes = 0;
  grade([&](const lab::Experiment&) {
    if (crashes++ == 0) return worker::Reply{0, workError("the worker ended"), true};
    return rightReply();
  });
  EXPECT_EQ(grades.at("unlucky").verdict, Verdict::right);
}

TEST_F(Grader, NothingIsJudgedIfTwoCompilersDisagree) {
  submit("a", kSum);
  const auto disputedBy = [&](const char* compiler, bool ok) {
    other = starting([=](const lab::Experiment&) { return replyOf(compiler, ok); });
    grade(wrongByNvrtc);
    return grades.at("a").verdict;
  };
  EXPECT_EQ(disputedBy("clang", true), Verdict::unjudged);
  EXPECT_EQ(grades.at("a").reason, "The kernel is wrong with nvrtc and right with clang.");
  EXPECT_EQ(grades.at("a").rows[1].marks, std::nullopt);
  EXPECT_EQ(disputedBy("clang", false), Verdict::wrong);
  EXPECT_EQ(disputedBy("nvrtc", true), Verdict::wrong) << "the same compiler";
  // The other compiler runs several orders of threads; a kernel that is right in only some of them
  // is wrong.
  std::set<uint64_t> orders;
  other = starting([&](const lab::Experiment& experiment) {
    orders.insert(experiment.order);
    return replyOf("clang", orders.size() < 4);
  });
  grade(wrongByNvrtc);
  EXPECT_EQ(grades.at("a").verdict, Verdict::wrong);
  EXPECT_EQ(orders.size(), 4U);
}

/// The other compiler might change the verdict later or on another machine.
TEST_F(Grader, NothingIsJudgedIfTheOtherCompilerDoesNotAnswer) {
  submit("a", kSum);
  const auto verdictWith = [&](const StartWorker& start) {
    other = start;
    grade(wrongByNvrtc);
    return grades.at("a").verdict;
  };
  const auto answering = [&](const worker::Reply& reply) {
    return starting([=](const lab::Experiment&) { return reply; });
  };
  EXPECT_EQ(verdictWith([] { return workError("no process can be started"); }), Verdict::unjudged);
  EXPECT_TRUE(has(grades.at("a").reason, "no process can be started"));
  EXPECT_EQ(verdictWith(answering({0, workError("clang cannot be asked")})), Verdict::unjudged);
  EXPECT_EQ(verdictWith(answering({0, requestError("it has ended"), true})), Verdict::unjudged);
  EXPECT_EQ(verdictWith(answering(lateReply())), Verdict::unjudged);
  EXPECT_EQ(verdictWith(answering({0, requestError("there is no clang here")})), Verdict::wrong);
}

TEST_F(Grader, SubmissionsWithoutAFileNeedNoWorker) {
  submissions.push_back(
      {"link", {}, "link.cu", "The file is a link, which is not followed.", true});
  submissions.push_back({"two", {}, "a.cu", "There are 2 files of this student.", false});
  submissions.push_back(
      {"gone", folder.path("gone.cu"), "gone.cu", "", false, {{folder.path(), "gone.cu"}}});
  grade([](const lab::Experiment&) { return rightReply(); });
  EXPECT_EQ(started, 0);
  EXPECT_EQ(grades.at("link").verdict, Verdict::refused);
  EXPECT_EQ(grades.at("link").marks(), 0);
  EXPECT_EQ(grades.at("two").verdict, Verdict::unjudged);
  EXPECT_FALSE(grades.at("two").wholeMarks());
  EXPECT_EQ(grades.at("gone").verdict, Verdict::failed);
}

TEST_F(Grader, AWorkerThatCannotBeStartedFailsThatSubmission) {
  submit("a", kSum);
  gradeWith([]() -> Result<std::unique_ptr<worker::Client>> {
    return workError("no room for a process");
  });
  EXPECT_EQ(grades.at("a").verdict, Verdict::failed);
}

TEST_F(Grader, LateSubmissionsAreTriedAgainOneByOneAfterTheOthers) {
  for (const char* id : {"a", "b"}) submit(id, std::string("// slow ") + id + "\n" + kSum);
  for (const char* id : {"c", "d"}) submit(id, kSum);
  std::map<std::string, int> asked;
  grade(
      [&](const lab::Experiment& experiment) {
        if (!holds(experiment, "slow")) return rightReply();
        if (asked[experiment.source.text]++ == 0) return lateReply();
        EXPECT_EQ(alive, 1) << "another submission runs beside it";
        EXPECT_GE(doneIds.size(), 2U) << "another submission has no grade yet";
        return rightReply();
      },
      4);
  EXPECT_EQ(lateIds.size(), 2U);
  EXPECT_EQ(doneIds.size(), 4U) << "each has one grade";
  for (const auto& [id, one] : grades) {
    EXPECT_EQ(one.verdict, Verdict::right) << id;
    EXPECT_EQ(one.reason, "") << id;
  }
  EXPECT_EQ(started, 6) << "a worker of its own for each second time";
}

TEST_F(Grader, ASubmissionThatIsLateTwiceIsUnjudged) {
  submit("a", kSum);
  int asked = 0;
  grade([&](const lab::Experiment&) {
    ++asked;
    return lateReply();
  });
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(doneIds.size(), 1U);
  EXPECT_EQ(grades.at("a").verdict, Verdict::unjudged);
  EXPECT_EQ(grades.at("a").reason,
            "It could not be judged: A launch had not ended after 300 s; the machine may be busy. "
            "It was tried twice, the second time alone.");
}

TEST_F(Grader, ACompilerOrAWorkerThatIsLateIsTriedAgain) {
  for (const worker::Reply& reply : {worker::Reply{0, lateError("clang gave no answer")},
                                     worker::Reply{0, lateError("the worker was stuck"), true}}) {
    submissions.clear();
    lateIds.clear();
    submit("a", kSum);
    int asked = 0;
    const int before = reply.lost ? 2 : 1;  // A lost worker is replaced first.
    grade([&](const lab::Experiment&) { return ++asked <= before ? reply : rightReply(); });
    EXPECT_EQ(lateIds.size(), 1U);
    EXPECT_EQ(grades.at("a").verdict, Verdict::right);
  }
}

TEST_F(Grader, ALateSecondCompilerIsTriedAgain) {
  submit("a", kSum);
  int asked = 0;
  other = starting(
      [&](const lab::Experiment&) { return asked++ == 0 ? lateReply() : replyOf("clang", false); });
  grade(wrongByNvrtc);
  EXPECT_EQ(lateIds.size(), 1U);
  EXPECT_EQ(grades.at("a").verdict, Verdict::wrong);
}

TEST_F(Grader, CertainResultsAreNotTriedAgain) {
  for (const char* kind : {"instruction-limit", "deadlock", "waits-too-long"}) {
    submissions.clear();
    submit("a", kSum);
    grade([&](const lab::Experiment&) {
      lab::RunResult result = *worker::resultOf(lateReply());
      result.faults.back().kind = kind;
      return worker::Reply{0, lab::shared(result)};
    });
    EXPECT_TRUE(lateIds.empty()) << kind;
    EXPECT_EQ(started, 1) << kind;
    started = 0;
  }
}

TEST_F(Grader, StopsWhenItIsInterrupted) {
  for (const char* id : {"a", "b", "c"}) submit(id, kSum);
  interrupted = [&] { return !grades.empty(); };
  grade([](const lab::Experiment&) { return rightReply(); }, 1);
  EXPECT_EQ(grades.size(), 1U);
  grades.clear();
  interrupted = [&] { return lateIds.size() == 3; };
  grade([](const lab::Experiment&) { return lateReply(); });
  EXPECT_TRUE(grades.empty()) << "late submissions have no grade";
}

}  // namespace tilestep::grade::grader_test
