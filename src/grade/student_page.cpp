// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "base/hash.h"
#include "base/html_text.h"
#include "grade/class_page.h"
#include "grade/page_parts.h"
#include "grade/reports.h"

namespace tilestep::grade {
namespace {

/// The verdicts in a student's words.
constexpr std::array<const char*, kVerdicts> kSentences{
    "The kernel is right at every launch that was tried.", "The kernel is wrong.",
    "The file was refused and not run.",
    "The kernel could not be judged. Your teacher will look at it.",
    "The grading failed, through no fault of the kernel. Your teacher will repeat it."};

/// The criterion of each row.
constexpr std::array<std::pair<const char*, const char*>, 6> kQuestions{{
    {"compiles", "It compiles, has the required parameters, and a GPU would launch it."},
    {"result", "Every element of the output is right."},
    {"bounds", "Every access stays within its array and its row, and no input is written to."},
    {"races", "Barriers order all accesses of threads to the same address."},
    {"barriers",
     "Every thread that others wait for reaches the barrier, and the threads of one warp reach the "
     "same one."},
    {"end", "Every launch ends."},
}};

std::string questionOf(const Row& row) {
  for (const auto& [name, question] : kQuestions)
    if (row.name == name) return question;
  return "Within the limit: " + row.name;
}

std::string rowHtml(const Row& row) {
  const std::string marks =
      row.marks ? marksText(*row.marks) + " of " + marksText(row.of) : "not judged";
  return fmt::format("<tr><td>{}</td><td class=\"marks\">{}</td><td>{}</td></tr>\n",
                     escapedHtml(questionOf(row)), marks, escapedHtml(row.why));
}

std::string totalHtml(const Grade& grade) {
  const std::optional<double> total = grade.total();
  return fmt::format("<tr><th>{}</th><th class=\"marks\">{}</th><th></th></tr>",
                     grade.byHand ? "Total, by hand" : "Total",
                     total ? marksText(*total) + " of " + marksText(grade.of()) : "not complete");
}

/// "The first failure: element P[0][5], stored at line 12 after 2 barriers."
std::string placeHtml(const FailurePlace& place) {
  std::string text;
  if (!place.element.empty()) {
    text = "<p>The first wrong element is <code>" + escapedHtml(place.element) + "</code>";
    if (!place.written) return text + ". It was never written.</p>\n";
    if (place.line > 0) text += fmt::format(", last stored at line {}", place.line);
  } else {
    text = "<p>The first failure is " + escapedHtml(place.what);
    if (place.line > 0) text += fmt::format(" at line {}", place.line);
  }
  if (place.epoch)
    text += fmt::format(", after {} barrier{}", *place.epoch, *place.epoch == 1 ? "" : "s");
  return text + ".</p>\n";
}

/// The student, the file and the verdict.
std::string beginningHtml(const Grade& grade, const RunFacts& facts) {
  std::string page = pageHead(facts.assignment);
  page += fmt::format("<h1>{}</h1>\n<p class=\"who\">{} · {}</p>\n", escapedHtml(facts.assignment),
                      escapedHtml(grade.id), escapedHtml(grade.file));
  if (grade.byHand)
    page += "<p class=\"verdict\">Your teacher has marked this kernel.</p>\n";
  else
    page += fmt::format("<p class=\"verdict {}\">{}</p>\n", nameOf(grade.verdict),
                        kSentences[static_cast<size_t>(grade.verdict)]);
  return page;
}

/// The aspects that were not tested, and the file's hash.
std::string endHtml(const Grade& grade, const RunFacts& facts) {
  std::string page;
  if (!facts.untested.empty()) {
    page += "<p>This was not tested:</p>\n<ul>\n";
    for (const std::string& one : facts.untested) page += "<li>" + escapedHtml(one) + "</li>\n";
    page += "</ul>\n";
  }
  // The rules' hash is omitted, because a student who has the rules could use it to find the hidden
  // seed.
  page += fmt::format("<footer>File {} · Tilestep {}</footer>\n</body></html>\n",
                      grade.hash.empty() ? "not read" : grade.hash, facts.version);
  return page;
}

bool isSafe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

/// "…-d726c0755a2c655e"
bool endsInHash(const std::string& id) {
  constexpr size_t kDigits = 16;
  if (id.size() <= kDigits || id[id.size() - kDigits - 1] != '-') return false;
  return id.find_first_not_of("0123456789abcdef", id.size() - kDigits) == std::string::npos;
}

}  // namespace

std::string pageName(const std::string& id) {
  constexpr size_t kLongest = 60;
  std::string name;
  for (const char c : id.substr(0, kLongest)) name += isSafe(c) ? c : '_';
  // Without the hash, two ids may have the same harmless characters, and an id may equal another
  // page's name with its hash, or the class's page.
  const bool isPlain = name == id && !endsInHash(id) && name + ".html" != kClassPage;
  return isPlain ? name + ".html" : name + "-" + hex64(fnv1a64(id)) + ".html";
}

bool isAnyPage(std::string_view text) {
  return text.starts_with("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">") &&
         text.find("<p class=\"who\">") != std::string_view::npos;
}

bool isPageOf(const Grade& grade, const RunFacts& facts, std::string_view page) {
  return page.starts_with(beginningHtml(grade, facts)) &&
         page.find(totalHtml(grade)) != std::string_view::npos &&
         page.ends_with(endHtml(grade, facts));
}

std::string toHtml(const Grade& grade, const RunFacts& facts) {
  std::string page = beginningHtml(grade, facts);
  if (!grade.forStudent.empty()) page += "<p>" + escapedHtml(grade.forStudent) + "</p>\n";
  if (grade.place) page += placeHtml(*grade.place);
  page += "<table><tr><th>Requirement</th><th>Marks</th><th></th></tr>\n";
  for (const Row& row : grade.rows) page += rowHtml(row);
  page += totalHtml(grade);
  page += "</table>\n";
  return page + endHtml(grade, facts);
}

}  // namespace tilestep::grade
