// SPDX-License-Identifier: Apache-2.0
#include "model/command.h"

#include <gtest/gtest.h>

#include "model/choice/sweep_choice.h"
#include "model/scene/stepper.h"
#include "model/shared_commands.h"
#include "trace/replay.h"
#include "unit/model/session_fixture.h"

namespace tilestep::model::command_test {

TEST(Command, HasFeatureSettingAndWords) {
  const Command made = command("threads.choose", Dim3{3, 1, 0});
  EXPECT_EQ(made.feature, "threads");
  EXPECT_EQ(made.setting, "choose");
  EXPECT_EQ(made.words, std::vector<std::string>{"3,1,0"});
}

TEST(Command, TextIsParsedBack) {
  const std::vector<Command> all{
      command("lessons.close"),
      command("live.pause", true),
      command("pins.rename", uint64_t{18446744073709551615U}, "a \"good\" run, \\ really"),
      command("choice.kernel", ""),
      command("steps.share", 0.25),
      command("tuning.set", "TILE_WIDTH", int64_t{-3}),
      command("sweeps.look", std::optional(SweepChoice{SweepKind::ladder})),
      command("threads.choose", std::nullopt),
      command("steps.move", Move::last),
      command("steps.grain", trace::StepGranularity::event),
  };
  for (const Command& one : all) {
    const std::optional<Command> read = parseCommand(toText(one));
    ASSERT_TRUE(read) << toText(one);
    EXPECT_EQ(*read, one) << toText(one);
  }
  EXPECT_EQ(toText(all[1]), "live.pause on");
  EXPECT_EQ(toText(all[6]), "sweeps.look ladder/automatic/0");
}

TEST(Command, InvalidTextIsRejected) {
  for (const char* text : {"", " ", "live", ".pause", "live.", "live.pause \"on", "a.b \"c\"d",
                           "a.b \"c\\", "\"live.pause"})
    EXPECT_FALSE(parseCommand(text)) << text;
}

TEST(Command, WordsAreCheckedCompletely) {
  bool flag = false;
  int64_t number = 7;
  uint32_t small = 7;
  double real = 7;
  Dim3 place{7, 7, 7};
  std::optional<Dim3> maybe = place;
  SweepChoice sweep;
  Move move = Move::last;
  trace::StepGranularity grain = trace::StepGranularity::event;
  for (const char* word : {"", "1x", " 1", "1 ", "0x10", "yes", "9223372036854775808", "nan"}) {
    EXPECT_FALSE(fromWord(word, flag)) << word;
    EXPECT_FALSE(fromWord(word, number)) << word;
    EXPECT_FALSE(fromWord(word, place)) << word;
    EXPECT_FALSE(fromWord(word, sweep)) << word;
    EXPECT_FALSE(fromWord(word, move)) << word;
    EXPECT_FALSE(fromWord(word, grain)) << word;
    EXPECT_FALSE(fromWord(word, maybe)) << word;
  }
  for (const char* word : {"", "inf", "nan", "1,5", "1e999"}) EXPECT_FALSE(fromWord(word, real));
  EXPECT_FALSE(fromWord("4294967296", small));
  EXPECT_FALSE(fromWord("-1", small));
  EXPECT_FALSE(fromWord("1,2,3,4", place));
  EXPECT_FALSE(fromWord("ladder/automatic/-1", sweep));
  EXPECT_EQ(number, 7) << "unread values do not change";
  EXPECT_EQ(place, (Dim3{7, 7, 7}));
  EXPECT_TRUE(fromWord("none", maybe));
  EXPECT_FALSE(maybe);
  EXPECT_TRUE(fromWord("4,2", place));
  EXPECT_EQ(place, (Dim3{4, 2, 0}));
}

class CommandSession : public SessionFixture {};

TEST_F(CommandSession, UnknownCommandsDoNothing) {
  open();
  settle();
  const Choice before = snapshot().choice;
  for (const char* text :
       {"nobody.knows", "live.fly", "live.pause", "live.pause maybe", "live.pause on off",
        "choice.block one", "steps.go -1", "steps.move sideways", "tuning.set TILE_WIDTH wide"})
    EXPECT_FALSE(session->apply(*parseCommand(text))) << text;
  EXPECT_EQ(next().choice, before);
  EXPECT_FALSE(snapshot().canUndo);
}

TEST_F(CommandSession, ChangesAreUndoneByGesture) {
  open();
  settle();
  EXPECT_TRUE(session->apply(*parseCommand("tuning.set TILE_WIDTH 4")));
  EXPECT_TRUE(session->apply(*parseCommand("tuning.set TILE_WIDTH 8")));
  session->endGesture();
  EXPECT_EQ(next().tunables.at("TILE_WIDTH"), 8);
  session->undo();
  EXPECT_FALSE(next().choice.tunables.contains("matmul_tiled"));
  EXPECT_FALSE(snapshot().canUndo);
}

}  // namespace tilestep::model::command_test
