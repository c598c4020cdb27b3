// SPDX-License-Identifier: Apache-2.0
#include "model/files/lab_file.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "support/results.h"
#include "unit/features/labs/lab_home.h"

namespace tilestep::model::lab_file_test {

const LabTargets& targets() {
  static const LabTargets kAll{compile::readCatalogue(support::sourceRoot() + "/kernels"),
                               {"1-branches", "2-other"}};
  return kAll;
}

/// The sample file with one part of it replaced.
std::string with(const std::string& from, const std::string& to) {
  std::string text = features::kSampleLab;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string errorOf(const std::string& text) {
  const Result<Lab> lab = parseLab(text, "branches.toml", targets());
  if (lab) return "read without an error";
  EXPECT_TRUE(lab.error().where) << lab.error().message;
  if (!lab.error().where) return {};
  EXPECT_EQ(lab.error().where->file, "branches.toml");
  return std::to_string(lab.error().where->line) + ": " + lab.error().message;
}

TEST(LabFile, AllFieldsAreRead) {
  const Lab lab =
      valueOrThrow(parseLab(features::kSampleLab, "assets/labs/branches.toml", targets()));
  EXPECT_EQ(lab.id, "branches");
  EXPECT_EQ(lab.number, 1);
  EXPECT_EQ(lab.title, "Branches");
  EXPECT_EQ(lab.question, "What does an `if` cost?");
  EXPECT_EQ(lab.minutes, 10);
  EXPECT_EQ(lab.lesson, "1-branches");
  EXPECT_EQ(lab.stage, Stage::scene);
  const std::vector<LabKernel> kernels{
      {"branch_thread_parity", {{"BLOCK", 32}, {"ROUNDS", 3}}, {{"n", 64}}},
      {"branch_warp_parity", {}, {{"n", 128}}}};
  EXPECT_EQ(lab.kernels, kernels);
  const Prediction prediction{
      "How many times as long?", {"as long", "twice as long"}, 2, "The warp runs both paths."};
  EXPECT_EQ(lab.prediction, prediction);
}

TEST(LabFile, AKernelMayOccurSeveralTimesWithLabels) {
  const std::string second = "name = \"branch_warp_parity\"\n",
                    same = "name = \"branch_thread_parity\"\n";
  EXPECT_EQ(errorOf(with(second, same)),
            "20: an earlier kernel of the lab has the same name: give each a label");
  EXPECT_EQ(errorOf(with(second, same + "label = \"\"\n")), "21: label is empty");
  const Lab lab =
      valueOrThrow(parseLab(with(second, same + "label = \"wide\"\n"), "branches.toml", targets()));
  EXPECT_EQ(lab.kernels[0].label, "");
  EXPECT_EQ(lab.kernels[1].label, "wide");
}

TEST(LabFile, APredictionMayBeANumber) {
  const Lab lab = valueOrThrow(
      parseLab(with("choices = [\"as long\", \"twice as long\"]\nanswer = 2", "answer = 0.5"),
               "branches.toml", targets()));
  EXPECT_TRUE(lab.prediction.choices.empty());
  EXPECT_EQ(lab.prediction.answer, 0.5);
}

TEST(LabFile, MayRequestSeveralTimingMethods) {
  const std::string timed = with("sizes = { n = 128 }", "timed = { n = 4096 }");
  const Lab plain = valueOrThrow(parseLab(timed, "branches.toml", targets()));
  EXPECT_FALSE(plain.timings);
  const Lab lab = valueOrThrow(parseLab("timings = true\n" + timed, "branches.toml", targets()));
  EXPECT_TRUE(lab.timings);
  EXPECT_EQ(errorOf("timings = true\n" + std::string(features::kSampleLab)),
            "1: timings needs a kernel with sizes in `timed`");
  EXPECT_TRUE(has(errorOf("timings = 1\n" + timed), "1: timings"));
}

TEST(LabFile, ErrorsGiveReasonAndLine) {
  EXPECT_EQ(errorOf(with("number = 1", "number = 0")),
            "1: number must be a whole number from 1 to 999");
  EXPECT_EQ(errorOf(with("minutes = 10\n", "")), "1: minutes is missing");
  EXPECT_EQ(errorOf(with("minutes = 10", "minutes = \"ten\"")),
            "4: minutes must be a whole number");
  EXPECT_EQ(errorOf(with("minutes = 10", "minuets = 10")),
            "4: a lab has no key minuets; the nearest is minutes");
  EXPECT_EQ(errorOf(with("\"Branches\"", "\"\"")), "2: title is empty");
  EXPECT_EQ(errorOf(with("\"Branches\"", "\"a\\u001bb\"")),
            "2: title must be one line, without tabs");
  EXPECT_EQ(errorOf(with("\"Branches\"", '"' + std::string(501, 'x') + '"')),
            "2: title is too long: at most 500 bytes");
  EXPECT_EQ(errorOf(with("1-branches", "1-branch")),
            "5: a lesson called 1-branch does not exist; the nearest lesson is 1-branches");
  EXPECT_EQ(errorOf(with("\"scene\"", "\"cinema\"")).substr(0, 32),
            "6: stage must be one of scene, r");
  EXPECT_EQ(errorOf(with("branch_thread_parity", "branch_thread")),
            "15: a kernel called branch_thread does not exist; the nearest kernel is "
            "branch_thread_parity");
  EXPECT_EQ(errorOf(with("ROUNDS", "ROUND")),
            "16: a tunable called ROUND does not exist; the nearest tunable is ROUNDS");
  EXPECT_EQ(errorOf(with("{ n = 64 }", "{ m = 64 }")),
            "17: a size called m does not exist; the nearest size is n");
  EXPECT_EQ(errorOf(with("{ n = 64 }", "64")), "17: sizes must be a table: { NAME = 4 }");
  EXPECT_EQ(errorOf(with("[prediction]", "[prophecy]")).substr(0, 29),
            "8: a lab has no key prophecy;");
  EXPECT_EQ(errorOf(with("answer = 2", "answer = 3")),
            "11: the answer must be the number of a choice, from 1 to 2");
  EXPECT_EQ(errorOf(with("answer = 2", "answer = \"2\"")),
            "11: a prediction's answer must be a number");
  EXPECT_EQ(errorOf(with("[\"as long\", \"twice as long\"]", "[\"as long\"]")),
            "10: a prediction must have 2 to 6 choices, or none for a number");
  EXPECT_EQ(errorOf(with("choices = [\"as long\", \"twice as long\"]\nanswer = 2", "answer = nan")),
            "10: the answer must be a number from -1e12 to 1e12");
  EXPECT_EQ(errorOf("title ="), errorOf("title ="));
  EXPECT_EQ(errorOf("x = 1").substr(0, 24), "1: a lab has no key x; t");
  EXPECT_EQ(errorOf(with("[[kernel]]", "[kernel]")).substr(0, 4), "19: ")
      << "one table and a list of tables";
}

TEST(LabFile, AFolderIsReadByNumberAndDamagedFilesAreReported) {
  const std::string home = features::makeLabHome("lab_file_test");
  const std::string folder = home + "/assets/labs/";
  ASSERT_TRUE(writeFileAtomically(folder + "a-second.toml", with("number = 1", "number = 2")));
  ASSERT_TRUE(writeFileAtomically(folder + "broken.toml", "number = [\n"));
  ASSERT_TRUE(writeFileAtomically(folder + "huge.toml", std::string(70'000, '#')));
  ASSERT_TRUE(writeFileAtomically(folder + "notes.txt", "no lab"));
  std::vector<Error> errors;
  const std::vector<Lab> labs = readLabs(home, targets().kernels, &errors);
  ASSERT_EQ(labs.size(), 2U);
  EXPECT_EQ(labs[0].id, "branches");
  EXPECT_EQ(labs[1].id, "a-second");
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].where->file, folder + "broken.toml");
  EXPECT_TRUE(has(toString(errors[1]), "huge.toml"));
  EXPECT_TRUE(readLabs(home + "/nowhere", targets().kernels).empty());
}

}  // namespace tilestep::model::lab_file_test
