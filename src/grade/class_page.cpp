// SPDX-License-Identifier: Apache-2.0
#include "grade/class_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/html_text.h"
#include "grade/class_charts.h"
#include "grade/class_groups.h"
#include "grade/page_parts.h"
#include "grade/reports.h"

namespace tilestep::grade {
namespace {

constexpr const char* kClassStyle = R"(
body { max-width: 54rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .3rem; }
h3 { font-size: 1.05rem; margin: 0; font-weight: 600; overflow-wrap: anywhere; }
p { margin: .4rem 0; }
a { color: #0b5cad; }
p.note { color: #5c5c56; margin-bottom: .7rem; }
ul.verdicts { list-style: none; padding: 0; margin: .6rem 0; display: flex; flex-wrap: wrap;
              gap: .2rem 1.4rem; }
.swatch { display: inline-block; width: .8em; height: .8em; margin-right: .4em; }
section.group { padding: .7rem 0; border-top: 1px solid #d8d8d2; }
section.group h3 .count { font-variant-numeric: tabular-nums; }
p.ids, li { overflow-wrap: anywhere; }
td.number, th.number { padding-right: 1.4rem; text-align: right; white-space: nowrap;
                       font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem .25rem 0; }
td.id { max-width: 16rem; overflow-wrap: break-word; }
figure { margin: .8rem 0; }
li:target, section:target { background: #eef4fb; }
@media (prefers-color-scheme: dark) {
  a { color: #7db8f0; }
  p.note { color: #a8a8a0; }
  section.group { border-color: #3a3a36; }
  li:target, section:target { background: #1d2a38; }
}
@media print {
  body { margin: 0; max-width: none; font-size: 11pt; color: #000; background: #fff; }
  section.group, tr, figure, svg { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  a { color: inherit; }
})";

std::string linkTo(const std::string& id) {
  return fmt::format("<a href=\"{}\">{}</a>", pageName(id), escapedHtml(id));
}

std::string linksTo(const std::vector<std::string>& ids) {
  std::string links;
  for (const std::string& id : ids) links += (links.empty() ? "" : ", ") + linkTo(id);
  return links;
}

std::string withoutFullStop(const std::string& text) {
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

std::string verdictsHtml(const std::vector<Grade>& grades) {
  const VerdictCounts counts = verdictCounts(grades);
  std::string page =
      fmt::format("<h2>{}</h2>\n", grades.empty() ? "Nothing is graded yet"
                                                  : handInsText(grades.size()) + " graded") +
      verdictBar(counts) + "<ul class=\"verdicts\">\n";
  for (size_t i = 0; i < kVerdicts; ++i) {
    const char* name = nameOf(static_cast<Verdict>(i));
    page += fmt::format("<li class=\"{0}\"><span class=\"swatch\"></span>{1} {0}</li>\n", name,
                        counts[i]);
  }
  page += "</ul>\n";
  std::vector<std::string> open;
  for (const Grade& grade : grades)
    if (grade.needsPerson()) open.push_back(grade.id);
  if (!open.empty())
    page += fmt::format("<p>{} no complete marks and need{} your marks: {}.</p>\n",
                        open.size() == 1 ? "1 has" : fmt::format("{} have", open.size()),
                        open.size() == 1 ? "s" : "", linksTo(open));
  return page;
}

/// A group of several hand-ins.
std::string groupHtml(const TroubleGroup& group, size_t number, size_t of) {
  std::string page = fmt::format(
      "<section class=\"group\" id=\"g{}\">\n<h3><span class=\"count\">{} of {}</span> {}</h3>\n",
      number, group.ids.size(), of, escapedHtml(group.words));
  if (!group.sentence.empty()) page += "<p>" + escapedHtml(group.sentence) + "</p>\n";
  return page +
         fmt::format("<p>Open one of them: {}</p>\n<p class=\"ids\">All {}: {}</p>\n</section>\n",
                     linkTo(group.typical), group.ids.size(), linksTo(group.ids));
}

/// A finding that occurs in only one hand-in.
std::string singleHtml(const TroubleGroup& group, size_t number) {
  return fmt::format("<li id=\"g{}\">{} {}.{}{}</li>\n", number, linkTo(group.typical),
                     escapedHtml(withoutFullStop(group.words)), group.sentence.empty() ? "" : " ",
                     escapedHtml(group.sentence));
}

std::string groupsHtml(const ClassGroups& groups, const std::vector<Grade>& grades) {
  if (grades.empty()) return {};
  std::string page = "<h2>What was found</h2>\n";
  if (groups.troubles.empty())
    page += groups.unknown.empty() ? "<p>Nothing was found in any of them.</p>\n" : "";
  else
    page +=
        "<p class=\"note\">The largest group comes first, and a hand-in may be in several. A wrong "
        "result is listed only if nothing else was found at the same launch. The hand-in to "
        "open has few other troubles.</p>\n";
  std::string singles;
  for (size_t i = 0; i < groups.troubles.size(); ++i)
    if (groups.troubles[i].ids.size() > 1)
      page += groupHtml(groups.troubles[i], i + 1, grades.size());
    else
      singles += singleHtml(groups.troubles[i], i + 1);
  if (!singles.empty())
    page += "<section class=\"group\">\n<h3>Found in one hand-in alone</h3>\n<ul>\n" + singles +
            "</ul>\n</section>\n";
  if (!groups.unknown.empty())
    page += fmt::format(
        "<p>The troubles of {} are not known, so the groups leave {} out; <code>--resume"
        "</code> without <code>--again</code> grades {} again: {}.</p>\n",
        handInsText(groups.unknown.size()), groups.unknown.size() == 1 ? "it" : "them",
        groups.unknown.size() == 1 ? "it" : "them", linksTo(groups.unknown));
  return page;
}

std::string equalHtml(const std::vector<EqualFiles>& equal) {
  if (equal.empty()) return {};
  std::string page =
      "<h2>Equal files</h2>\n<p class=\"note\">Files with the same hash are equal to the last "
      "character.</p>\n<ul>\n";
  for (const EqualFiles& files : equal)
    page += fmt::format("<li>{} files are equal: {}</li>\n", files.ids.size(), linksTo(files.ids));
  return page + "</ul>\n";
}

double medianOf(std::vector<double> sorted) {
  std::ranges::sort(sorted);
  const size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/// The highest possible marks.
double mostMarks(const std::vector<Grade>& grades) {
  double most = 0;
  for (const Grade& grade : grades) most = std::max(most, grade.of());
  return most;
}

std::string marksHtml(const std::vector<Grade>& grades) {
  if (grades.empty()) return {};
  std::vector<double> marks;
  for (const Grade& grade : grades)
    if (grade.total()) marks.push_back(*grade.total());
  const double of = mostMarks(grades);
  std::string page = "<h2>Marks</h2>\n";
  if (marks.empty() || of <= 0) return page + "<p>There are no marks.</p>\n";
  page += fmt::format("<p>Half of the hand-ins have {} or more of {} marks.",
                      marksText(medianOf(marks)), marksText(of));
  if (const size_t without = grades.size() - marks.size(); without > 0)
    page +=
        fmt::format(" {} no marks yet.", without == 1 ? "1 has" : fmt::format("{} have", without));
  const MarksHistogram histogram = histogramOf(marks, of);
  page += "</p>\n<p class=\"note\">Each bar counts the hand-ins with the marks below it";
  if (!histogram.isExact)
    page +=
        ": from the number at its left to below the next number; the last bar counts full marks";
  return page + ".</p>\n<figure>\n" + toSvg(histogram) + "</figure>\n";
}

/// The groups of each hand-in, as links to them.
std::map<std::string, std::string> groupLinks(const ClassGroups& groups) {
  std::map<std::string, std::string> links;
  for (size_t i = 0; i < groups.troubles.size(); ++i)
    for (const std::string& id : groups.troubles[i].ids) {
      std::string& text = links[id];
      const TroubleWords* words = troubleWords(groups.troubles[i].kind);
      text += fmt::format("{}<a href=\"#g{}\">{}</a>", text.empty() ? "" : "; ", i + 1,
                          words == nullptr ? groups.troubles[i].kind : words->one);
    }
  return links;
}

std::string tableHtml(const ClassGroups& groups, const std::vector<Grade>& sorted) {
  if (sorted.empty()) return {};
  const std::map<std::string, std::string> links = groupLinks(groups);
  std::string page =
      "<h2>All hand-ins</h2>\n<table>\n<thead><tr><th scope=\"col\">Id</th><th scope=\"col\">"
      "Verdict</th><th scope=\"col\" class=\"number\">Marks of " +
      marksText(mostMarks(sorted)) +
      "</th><th scope=\"col\">Found</th></tr>"
      "</thead>\n<tbody>\n";
  for (const Grade& grade : sorted) {
    const std::optional<double> total = grade.total();
    const auto found = links.find(grade.id);
    page += fmt::format(
        "<tr><td class=\"id\">{}</td><td>{}</td><td class=\"number\">{}{}</td><td>{}</td></tr>\n",
        linkTo(grade.id), nameOf(grade.verdict), grade.byHand ? "by hand " : "",
        total ? marksText(*total) : "–", found == links.end() ? "" : found->second);
  }
  return page + "</tbody>\n</table>\n";
}

}  // namespace

std::string toClassPage(const std::vector<Grade>& grades, const RunFacts& facts) {
  std::vector<Grade> sorted = grades;
  std::ranges::sort(sorted, {}, &Grade::id);
  const ClassGroups groups = groupsOf(sorted);
  std::string page = pageHead(facts.assignment, std::string(kChartStyle) + kClassStyle);
  page += fmt::format("<h1>{}</h1>\n<p class=\"who\">The whole class, for the teacher</p>\n",
                      escapedHtml(facts.assignment));
  page += "<main>\n" + verdictsHtml(sorted) + groupsHtml(groups, sorted) + equalHtml(groups.equal) +
          marksHtml(sorted) + tableHtml(groups, sorted) + "</main>\n";
  return page +
         fmt::format("<footer>Tilestep {}</footer>\n</body></html>\n", escapedHtml(facts.version));
}

}  // namespace tilestep::grade
