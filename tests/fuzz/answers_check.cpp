// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/text_report.h"
#include "features/pins/report.h"
#include "features/registry.h"
#include "fuzz/changed_client.h"
#include "fuzz/checks.h"
#include "fuzz/small_home.h"
#include "lab/lab.h"
#include "lab/result_values.h"
#include "model/session.h"

namespace tilestep::fuzz {
namespace {

using model::command;

/// Prints a result as the commands do.
std::string checkPrinted(const lab::RunResult& result) {
  const std::string json = lab::toJson(result);
  if (!nlohmann::json::accept(json)) return "a result's JSON is none: " + json.substr(0, 2000);
  if (app::textReport(result).empty()) return "a report without text";
  (void)lab::valuesOf(result, nullptr, {"counters.total.ffma", "measurement.median_ms"});
  return {};
}

std::string checkShown(const model::Snapshot& now) {
  for (const model::TableKind& kind : now.tables) {
    for (const bool other : {false, true}) {
      const model::Table table = kind.make(now, {other, other});
      for (const auto& row : table.rows)
        if (row.size() != table.columns.size()) return "a row of another length";
      (void)model::csvOf(table);
      (void)features::textOf(table);
      if (!nlohmann::json::accept(model::jsonOf(kind.id, table))) return "a table's JSON is none";
    }
  }
  if (features::reportHtml(now, {}, "now").empty()) return "a page without text";
  return {};
}

/// A user's possible actions, chosen by the orders.
void act(model::Session& session, size_t which) {
  switch (which) {
    case 0:
      session.apply(command("steps.move", model::Move::last));
      break;
    case 1:
      session.apply(command("steps.grain", trace::StepGranularity::event));
      session.apply(command("steps.move", model::Move::forward));
      break;
    case 2:
      session.apply(command("threads.choose", Dim3{1, 0, 0}));
      session.apply(command("threads.step"));
      break;
    case 3:
      session.apply(command("live.watch", true));
      break;
    case 4:
      session.apply(command("sweeps.run", false));
      break;
    case 5:
      session.apply(command("figures.hardware"));
      session.apply(command("figures.count"));
      break;
    case 6:
      session.apply(command("comparison.choose", "matmul_naive"));
      break;
    case 7:
      session.apply(command("timing.watch", true));
      session.apply(command("footprint.watch", true));
      session.apply(command("cube.watch", true));
      session.apply(command("sums.watch", true));
      break;
    case 8:
      session.apply(command("tuning.set", "TILE_WIDTH", 2));
      break;
    default:
      session.apply(command("pins.pin"));
      break;
  }
}

void settle(model::Session& session, double& now) {
  for (int i = 0; i < 6; ++i) {
    session.poll(now += 0.1);
    // Long traces are cut into steps on another thread.
    for (int wait = 0; wait < 50 && session.snapshot()->busy.scene; ++wait) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      session.poll(now += 0.001);
    }
  }
}

}  // namespace

std::string checkAnswers(std::span<const std::byte> orders) {
  AnswerChanges changes(orders);
  const auto told = std::make_shared<ChangedClient::Told>();
  model::SessionOptions options;
  options.home = smallHome();
  model::Session session(options, features::makeFeatures());
  double now = 0;
  const size_t acts = changes.pick(4), first = changes.pick(10);
  session.connect(std::make_unique<ChangedClient>(changes, told));
  settle(session, now);
  for (size_t i = 0; i < acts; ++i) {
    act(session, (first + i * 3) % 10);
    settle(session, now);
  }
  if (!told->trouble.empty()) return told->trouble;
  for (const lab::RunResult& result : told->results)
    if (std::string trouble = checkPrinted(result); !trouble.empty()) return trouble;
  return checkShown(*session.snapshot());
}

}  // namespace tilestep::fuzz
