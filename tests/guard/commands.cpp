// SPDX-License-Identifier: Apache-2.0
#include "guard/commands.h"

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>

#include "features/pins/pins.h"
#include "guard/kept.h"
#include "support/source_root.h"
#include "ui/headless_window.h"

namespace tilestep::tests {
namespace {

using model::Session;
using Words = std::vector<std::string>;

/// A command's words; one that is missing, or no number where one is needed, throws.
class Arguments {
 public:
  Arguments(HeadlessWindow& of, const Words& words) : window(of), words_(words) {}

  [[nodiscard]] const std::string& text(size_t i) const { return words_.at(i); }
  [[nodiscard]] int64_t number(size_t i) const { return std::stoll(words_.at(i)); }
  [[nodiscard]] double real(size_t i) const { return std::stod(words_.at(i)); }
  [[nodiscard]] uint32_t whole(size_t i) const { return static_cast<uint32_t>(number(i)); }
  [[nodiscard]] size_t size() const { return words_.size(); }
  [[nodiscard]] Dim3 place(size_t i) const {
    return {whole(i), whole(i + 1), i + 2 < size() ? whole(i + 2) : 0};
  }
  /// Of the n-th pinned run, from 1.
  [[nodiscard]] uint64_t pin(size_t i) const {
    return window.session().pins()->pins.at(whole(i) - 1).id;
  }
  [[nodiscard]] Session& session() const { return window.session(); }

  HeadlessWindow& window;

 private:
  const Words& words_;
};

using Command = std::function<void(const Arguments&)>;
using Commands = std::map<std::string, Command>;

/// What the newest notice that has one offers.
template <class Offer>
Offer offered(const Arguments& a, std::optional<Offer> model::Notice::*offer) {
  const std::vector<model::Notice> notices = a.session().snapshot()->notices;
  for (auto notice = notices.rbegin(); notice != notices.rend(); ++notice)
    if ((*notice).*offer) return *((*notice).*offer);
  throw std::runtime_error("no notice offers that");
}

void takeFix(const Arguments& a) {
  const model::Fix fix = offered(a, &model::Notice::fix);
  if (fix.tunable.empty()) return a.session().runInInterpreter();
  a.session().setTunable(fix.tunable, fix.value);
  a.session().endGesture();
}

const Commands& choices() {
  static const Commands all{
      {"kernel", [](const Arguments& a) { a.session().chooseKernel(a.text(1)); }},
      {"set", [](const Arguments& a) { a.session().setTunable(a.text(1), a.number(2)); }},
      {"scene-size", [](const Arguments& a) { a.session().setSceneSize(a.text(1), a.number(2)); }},
      {"measure-size",
       [](const Arguments& a) { a.session().setMeasureSize(a.text(1), a.number(2)); }},
      {"follow-tile", [](const Arguments& a) { a.session().letSceneFollowTile(); }},
      {"link",
       [](const Arguments& a) { a.session().linkSizes(a.text(1) == "scene", a.text(2) == "on"); }},
      {"device", [](const Arguments& a) { a.session().chooseDevice(a.text(1)); }},
      {"roof",
       [](const Arguments& a) { a.session().chooseRoofDevice(a.size() > 1 ? a.text(1) : ""); }},
      {"registers", [](const Arguments& a) { a.session().assumeRegisters(a.whole(1)); }},
      {"block", [](const Arguments& a) { a.session().chooseBlock(a.place(1)); }},
      {"timeline-block", [](const Arguments& a) { a.session().chooseTimelineBlock(a.place(1)); }},
      {"thread",
       [](const Arguments& a) {
         if (a.text(1) == "none") return a.session().chooseThread(std::nullopt);
         a.session().chooseThread(a.place(1));
       }},
      {"barrier", [](const Arguments& a) { a.session().takeBarrierAway(a.whole(1)); }},
      {"end-of-gesture", [](const Arguments& a) { a.session().endGesture(); }},
      {"fix", takeFix},
      {"nearest",
       [](const Arguments& a) { a.session().goTo(offered(a, &model::Notice::nearest)); }},
      {"dismiss", [](const Arguments& a) { a.session().dismiss(a.text(1)); }},
      {"measure-again", [](const Arguments& a) { a.session().measureAgain(); }},
  };
  return all;
}

const Commands& besides() {
  static const Commands all{
      {"beside", [](const Arguments& a) { a.session().chooseBeside(a.text(1)); }},
      {"beside-set",
       [](const Arguments& a) {
         a.session().setBesideTunable(a.text(1), a.number(2));
         a.session().endGesture();
       }},
      {"beside-follow", [](const Arguments& a) { a.session().letBesideFollow(); }},
      {"beside-block", [](const Arguments& a) { a.session().chooseBesideBlock(a.place(1)); }},
  };
  return all;
}

const Commands& steps() {
  static const Commands all{
      {"go", [](const Arguments& a) { a.session().goTo(a.whole(1)); }},
      {"share", [](const Arguments& a) { a.session().goToShare(a.real(1)); }},
      {"phase", [](const Arguments& a) { a.session().goToPhase(a.whole(1)); }},
      {"speed", [](const Arguments& a) { a.session().setSpeed(a.real(1)); }},
      {"line",
       [](const Arguments& a) {
         a.window.ui().lineChosen = a.whole(1);
         (void)a.session().goToLine(a.whole(1), true);
       }},
      {"instruction",
       [](const Arguments& a) { (void)a.session().goToInstruction(a.whole(1), true); }},
      {"access",
       [](const Arguments& a) {
         a.session().chooseAccess({a.text(1), a.whole(2)});
       }},
  };
  return all;
}

void pinCommand(const Arguments& a) {
  const std::string& what = a.text(1);
  if (what == "rename") {
    // As it is typed, letter by letter.
    for (size_t length = 1; length <= a.text(3).size(); ++length)
      a.session().renamePin(a.pin(2), a.text(3).substr(0, length));
    return a.session().endGesture();
  }
  if (what == "recolour") return a.session().recolourPin(a.pin(2));
  if (what == "base") return a.session().chooseBase(a.pin(2));
  if (what == "go") return a.session().goToPin(a.pin(2));
  if (what == "let-go") return a.session().unpin(a.pin(2));
  throw std::runtime_error("pin rename, recolour, base, go or let-go");
}

void lessonCommand(const Arguments& a) {
  const std::string& what = a.text(1);
  if (what == "open")
    return a.session().openLesson(
        (std::filesystem::path(support::sourceRoot()) / "assets" / "lessons" / a.text(2)).string());
  if (what == "step") return a.session().goToLessonStep(a.whole(2) - 1);
  if (what == "answer") return a.session().answerLesson(a.real(2));
  if (what == "reveal") return a.session().revealLesson();
  throw std::runtime_error("lesson open, step, answer or reveal");
}

void sweepCommand(const Arguments& a) {
  const std::string& what = a.text(1);
  if (what == "open") return a.session().openSweepFile((guardFolder() / a.text(2)).string());
  if (what == "close") return a.session().closeSweepFile();
  if (what == "again") return a.session().runSweep(true);
  if (what == "point") {
    if (!a.session().goToSweepPoint(a.whole(2))) throw std::runtime_error("that point cannot run");
    return;
  }
  throw std::runtime_error("sweep open, close, again or point");
}

}  // namespace

std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words;
  bool quoted = false, open = false;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
      if (quoted) words.emplace_back();
      open = quoted;
    } else if (c == ' ' && !quoted) {
      open = false;
    } else {
      if (!open) words.emplace_back();
      open = true;
      words.back() += c;
    }
  }
  return words;
}

std::string doCommand(HeadlessWindow& window, const std::vector<std::string>& words) {
  const Arguments arguments(window, words);
  static const Commands groups{
      {"pin", pinCommand}, {"lesson", lessonCommand}, {"sweep", sweepCommand}};
  for (const Commands* commands : {&choices(), &besides(), &steps(), &groups}) {
    const auto command = commands->find(words.front());
    if (command == commands->end()) continue;
    try {
      command->second(arguments);
      return {};
    } catch (const std::exception& wrong) {
      return std::string("it cannot be done: ") + wrong.what();
    }
  }
  return "there is no such command";
}

}  // namespace tilestep::tests
