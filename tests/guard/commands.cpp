// SPDX-License-Identifier: Apache-2.0
#include "guard/commands.h"

#include <functional>
#include <map>
#include <stdexcept>

#include "guard/kept.h"
#include "model/choice/pins.h"
#include "support/source_root.h"
#include "ui/headless_window.h"

namespace tilestep::tests {
namespace {

using model::Session;
using Words = std::vector<std::string>;

/// A command's words. Throws if one is missing, or is not a number where one is needed.
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
  /// The id of the n-th pinned run, from 1.
  [[nodiscard]] uint64_t pin(size_t i) const {
    return window.session().pins()->pins.at(whole(i) - 1).id;
  }
  [[nodiscard]] Session& session() const { return window.session(); }

  HeadlessWindow& window;

 private:
  const Words& words_;
};

using model::command;
using Action = std::function<void(const Arguments&)>;

/// The offer of the newest notice that has one.
template <class Offer>
Offer offered(const Arguments& a, std::optional<Offer> model::Notice::*offer) {
  const std::vector<model::Notice> notices = a.session().snapshot()->notices;
  for (auto notice = notices.rbegin(); notice != notices.rend(); ++notice)
    if ((*notice).*offer) return *((*notice).*offer);
  throw std::runtime_error("no notice offers that");
}

void takeFix(const Arguments& a) {
  const model::Fix fix = offered(a, &model::Notice::fix);
  if (fix.tunable.empty()) {
    a.session().apply(command("figures.interpret"));
    return;
  }
  a.session().apply(command("tuning.set", fix.tunable, fix.value));
  a.session().endGesture();
}

/// Commands of the model under other names; their words are passed on.
const std::map<std::string, std::string>& passedOn() {
  static const std::map<std::string, std::string> all{
      {"kernel", "choice.kernel"},
      {"set", "tuning.set"},
      {"scene-size", "choice.scene_size"},
      {"measure-size", "choice.measure_size"},
      {"follow-tile", "choice.follow_tile"},
      {"device", "choice.device"},
      {"registers", "occupancy.registers"},
      {"barrier", "barriers.remove"},
      {"dismiss", "notices.dismiss"},
      {"measure-again", "figures.again"},
      {"beside", "comparison.choose"},
      {"beside-follow", "comparison.follow"},
      {"go", "steps.go"},
      {"share", "steps.share"},
      {"phase", "steps.phase"},
      {"speed", "steps.speed"},
      {"access", "warps.access"},
  };
  return all;
}

void pinCommand(const Arguments& a) {
  const std::string& what = a.text(1);
  if (what == "rename") {
    // As typed, letter by letter.
    for (size_t length = 1; length <= a.text(3).size(); ++length)
      a.session().apply(command("pins.rename", a.pin(2), a.text(3).substr(0, length)));
    return a.session().endGesture();
  }
  static const std::map<std::string, std::string> names{{"recolour", "pins.recolour"},
                                                        {"base", "pins.base"},
                                                        {"go", "pins.go"},
                                                        {"let-go", "pins.unpin"}};
  const auto name = names.find(what);
  if (name == names.end()) throw std::runtime_error("pin rename, recolour, base, go or let-go");
  a.session().apply(command(name->second, a.pin(2)));
}

void lessonCommand(const Arguments& a) {
  const std::string& what = a.text(1);
  const std::string folder = support::sourceRoot() + "/assets/lessons/";
  if (what == "open")
    a.session().apply(command("lessons.open", folder + a.text(2)));
  else if (what == "step")
    a.session().apply(command("lessons.step", a.whole(2) - 1));
  else if (what == "answer")
    a.session().apply(command("lessons.answer", a.real(2)));
  else if (what == "reveal")
    a.session().apply(command("lessons.reveal"));
  else
    throw std::runtime_error("lesson open, step, answer or reveal");
}

void sweepCommand(const Arguments& a) {
  const std::string& what = a.text(1);
  if (what == "open")
    a.session().apply(command("sweeps.open", (guardFolder() / a.text(2)).string()));
  else if (what == "close")
    a.session().apply(command("sweeps.close"));
  else if (what == "again")
    a.session().apply(command("sweeps.run", true));
  else if (what != "point")
    throw std::runtime_error("sweep open, close, again or point");
  else if (!a.session().apply(command("sweeps.go", a.whole(2))))
    throw std::runtime_error("that point cannot run");
}

const std::map<std::string, Action>& actions() {
  static const std::map<std::string, Action> all{
      {"link",
       [](const Arguments& a) {
         a.session().apply(
             command(a.text(1) == "scene" ? "choice.link_scene" : "choice.link_measured",
                     a.text(2) == "on"));
       }},
      {"roof",
       [](const Arguments& a) {
         a.session().apply(command("known_devices.choose", a.size() > 1 ? a.text(1) : ""));
       }},
      {"block", [](const Arguments& a) { a.session().apply(command("choice.block", a.place(1))); }},
      {"timeline-block",
       [](const Arguments& a) { a.session().apply(command("timeline.block", a.place(1))); }},
      {"thread",
       [](const Arguments& a) {
         if (a.text(1) == "none")
           a.session().apply(command("threads.choose", std::nullopt));
         else
           a.session().apply(command("threads.choose", a.place(1)));
       }},
      {"end-of-gesture", [](const Arguments& a) { a.session().endGesture(); }},
      {"fix", takeFix},
      {"nearest",
       [](const Arguments& a) { a.session().goTo(offered(a, &model::Notice::nearest)); }},
      {"beside-set",
       [](const Arguments& a) {
         a.session().apply(command("comparison.set", a.text(1), a.number(2)));
         a.session().endGesture();
       }},
      {"beside-block",
       [](const Arguments& a) { a.session().apply(command("comparison.block", a.place(1))); }},
      {"line",
       [](const Arguments& a) {
         a.window.ui().lineChosen = a.whole(1);
         a.session().apply(command("source.line", a.whole(1), true));
       }},
      {"instruction",
       [](const Arguments& a) {
         a.session().apply(command("source.instruction", a.whole(1), true));
       }},
      {"pin", pinCommand},
      {"lesson", lessonCommand},
      {"sweep", sweepCommand},
  };
  return all;
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
  if (const auto same = passedOn().find(words.front()); same != passedOn().end()) {
    model::Command passed = command(same->second);
    passed.words.assign(words.begin() + 1, words.end());
    window.session().apply(passed);
    return {};
  }
  const auto action = actions().find(words.front());
  if (action == actions().end()) return "there is no such command";
  try {
    action->second(arguments);
    return {};
  } catch (const std::exception& wrong) {
    return std::string("it cannot be done: ") + wrong.what();
  }
}

}  // namespace tilestep::tests
