// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "grade/reports.h"

namespace tilestep::grade {
namespace {

using Json = nlohmann::ordered_json;

Json placeJson(const FailurePlace& place) {
  return {{"element", place.element.empty() ? Json() : Json(place.element)},
          {"written", place.written},
          {"line", place.line > 0 ? Json(place.line) : Json()},
          {"epoch", place.epoch ? Json(*place.epoch) : Json()},
          {"what", place.what}};
}

Json gradeJson(const Grade& grade, const RunFacts& facts) {
  Json marks = Json::object(), of = Json::object(), why = Json::object();
  for (const Row& row : grade.rows) {
    marks[row.name] = row.marks ? Json(*row.marks) : Json();
    of[row.name] = row.of;
    if (!row.why.empty()) why[row.name] = row.why;
  }
  Json counts = Json::object();
  for (const CountResult& count : grade.counts)
    counts[count.counter] = {{"submission", count.submission},
                             {"solution", count.solution},
                             {"at_most", count.atMost},
                             {"at_defaults", count.atDefaults}};
  return {{"id", grade.id},
          {"file", grade.file},
          {"hash", grade.hash},
          {"verdict", nameOf(grade.verdict)},
          {"reason", grade.reason},
          {"marks", std::move(marks)},
          {"marks_of", std::move(of)},
          {"by_hand", grade.byHand ? Json(*grade.byHand) : Json()},
          {"total", grade.total() ? Json(*grade.total()) : Json()},
          {"total_of", grade.of()},
          {"why", std::move(why)},
          {"place", grade.place ? placeJson(*grade.place) : Json()},
          {"command", grade.command},
          {"sizes", facts.sizes},
          {"counts", std::move(counts)},
          {"seed", facts.seed},
          {"rules", facts.rules},
          {"version", facts.version},
          {"seconds", grade.seconds}};
}

}  // namespace

std::string toJson(const std::vector<Grade>& grades, const RunFacts& facts) {
  Json list = Json::array();
  for (const Grade& grade : grades) list.push_back(gradeJson(grade, facts));
  return list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilestep::grade
