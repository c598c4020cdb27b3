// SPDX-License-Identifier: Apache-2.0
#include "grade/class_file.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "grade/reports.h"

namespace tilestep::grade {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kHandIns = "hand_ins";
constexpr const char* kGroups = "groups";

/// Parses output of toClassJson(). Returns a discarded value for any other text, including deeply
/// nested JSON.
Json parsedClass(std::string_view text) {
  constexpr int kMostDepth = 8;
  bool deep = false;
  const auto shallow = [&deep](int depth, Json::parse_event_t, Json&) {
    deep = deep || depth > kMostDepth;
    return !deep;
  };
  Json json = Json::parse(text, shallow, false);
  const bool isOurs = !deep && json.is_object() && json.contains(kHandIns) &&
                      json[kHandIns].is_array() && json.contains(kGroups) &&
                      json.contains("version") && json["version"].is_string();
  return isOurs ? json : Json(Json::value_t::discarded);
}

Json handInJson(const Grade& grade) {
  Json troubles = Json::array();
  for (const Trouble& trouble : *grade.troubles)
    troubles.push_back(
        {{"kind", trouble.kind}, {"detail", trouble.detail}, {"times", trouble.times}});
  const std::optional<double> marks = grade.judgedMarks();
  return {{"id", grade.id},
          {"page", pageName(grade.id)},
          {"hash", grade.hash},
          {"verdict", nameOf(grade.verdict)},
          {"marks", marks ? Json(*marks) : Json()},
          {"found", std::move(troubles)}};
}

std::string textUnder(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

std::optional<double> numberUnder(const Json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_number()) return std::nullopt;
  return at->get<double>();
}

/// Absent if one of the troubles is invalid.
std::optional<std::vector<Trouble>> troublesIn(const Json& handIn) {
  const auto found = handIn.find("found");
  if (found == handIn.end() || !found->is_array()) return std::nullopt;
  std::vector<Trouble> troubles;
  for (const Json& one : *found) {
    if (!one.is_object() || troubleWords(textUnder(one, "kind")) == nullptr) return std::nullopt;
    troubles.push_back(
        {textUnder(one, "kind"), textUnder(one, "detail"), numberUnder(one, "times").value_or(0)});
  }
  return troubles;
}

}  // namespace

std::string toClassJson(const std::vector<Grade>& grades, const RunFacts& facts) {
  Json handIns = Json::array(), groups = Json::array();
  for (const Grade& grade : grades)
    if (grade.troubles) handIns.push_back(handInJson(grade));
  for (const TroubleGroup& group : groupsOf(grades).troubles)
    groups.push_back({{"kind", group.kind},
                      {"words", group.words},
                      {"count", group.ids.size()},
                      {"typical", group.typical},
                      {"ids", group.ids}});
  const Json json{{"assignment", facts.assignment},
                  {"version", facts.version},
                  {kGroups, std::move(groups)},
                  {kHandIns, std::move(handIns)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool isClassJson(std::string_view text) {
  return !parsedClass(text).is_discarded();
}

FoundBefore::FoundBefore(std::string_view text, const std::string& version) {
  const Json json = parsedClass(text);
  if (json.is_discarded() || textUnder(json, "version") != version) return;
  for (const Json& handIn : json[kHandIns]) {
    if (!handIn.is_object()) continue;
    std::optional<std::vector<Trouble>> troubles = troublesIn(handIn);
    if (troubles)
      byPage_[textUnder(handIn, "page")] = {textUnder(handIn, "hash"), textUnder(handIn, "verdict"),
                                            numberUnder(handIn, "marks"), std::move(*troubles)};
  }
}

std::optional<std::vector<Trouble>> FoundBefore::of(const Grade& grade) const {
  // Marks in the CSV file are rounded to thousandths.
  constexpr double kRounding = 1e-2;
  const auto at = byPage_.find(pageName(grade.id));
  if (at == byPage_.end()) return std::nullopt;
  const Entry& entry = at->second;
  const std::optional<double> marks = grade.judgedMarks();
  const bool sameMarks = marks.has_value() == entry.marks.has_value() &&
                         (!marks || std::abs(*marks - *entry.marks) < kRounding);
  if (entry.hash != grade.hash || entry.verdict != nameOf(grade.verdict) || !sameMarks)
    return std::nullopt;
  return entry.troubles;
}

}  // namespace tilestep::grade
