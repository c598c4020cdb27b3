// SPDX-License-Identifier: Apache-2.0
#include "model/export/page.h"

#include <algorithm>
#include <cstdio>
#include <span>

#include "base/base64.h"
#include "base/hash.h"
#include "base/html_text.h"
#include "model/export/shared_parts.h"
#include "model/text/covered_pieces.h"
#include "model/text/text_runs.h"

namespace tilestep::model {
namespace {

/// Text between tags. As in the window, lines break only at spaces. Browsers would also break
/// M[0][1].
std::string textHtml(std::string_view text) {
  std::string html;
  for (size_t from = 0; from < text.size();) {
    const size_t end = std::min(text.find(' ', from), text.size());
    const std::string_view word = text.substr(from, end - from);
    const bool breaks = word.find("][") != std::string_view::npos;
    html += breaks ? "<span class=\"whole\">" + escapedHtml(word) + "</span>" : escapedHtml(word);
    if (end < text.size()) html += ' ';
    from = end + 1;
  }
  return html;
}

std::string element(const std::string& tag, const std::string& text) {
  return "<" + tag + ">" + textHtml(text) + "</" + tag.substr(0, tag.find(' ')) + ">\n";
}

std::string richHtml(const std::string& text) {
  std::string html;
  for (const TextRun& run : textRuns(text)) {
    const char* tag = run.look == TextRun::Look::strong ? "strong"
                      : run.look == TextRun::Look::code ? "code"
                                                        : nullptr;
    const std::string escaped = textHtml(run.text);
    html += tag == nullptr ? escaped : std::string("<") + tag + ">" + escaped + "</" + tag + ">";
  }
  return html;
}

std::string paragraphs(const std::vector<std::string>& texts) {
  std::string html;
  for (const std::string& text : texts) html += "<p>" + richHtml(text) + "</p>\n";
  return html;
}

std::string encoded(std::string_view text) {
  return base64(std::as_bytes(std::span<const char>(text)));
}

/// A part that is shown after the step's question was answered. The encoding only prevents readers
/// of the page's source from seeing the answer by accident; it is not secure.
std::string veiled(const std::string& html) {
  return html.empty() ? "" : "<div data-veiled=\"" + encoded(html) + "\"></div>\n";
}

std::string sentenceHtml(const PageStep& step) {
  return step.sentence.empty() ? "" : element("p class=\"sentence\"", step.sentence);
}

/// Gives wide tables and lines their own scroll bar, which the keyboard can reach.
std::string scrolling(const std::string& html) {
  return "<div class=\"wide\" tabindex=\"0\">\n" + html + "</div>\n";
}

std::string picturesHtml(const std::vector<PagePicture>& pictures, const char* name) {
  std::string html;
  for (const PagePicture& picture : pictures) html += "<figure>" + picture.svg + "</figure>\n";
  return html.empty() ? html : "<div class=\"" + std::string(name) + "\">\n" + html + "</div>\n";
}

/// Whether the cell is a number, with or without a unit: "1,024", "64.0 B", "–"; but not "2 times
/// fewer".
bool isFigure(const std::string& cell) {
  const bool digits = cell.find_first_of("-0123456789") == 0 || cell == "–" || cell.empty();
  return digits && std::ranges::count(cell, ' ') <= 1;
}

std::vector<bool> figureColumns(const Table& table) {
  std::vector<bool> figures(table.columns.size(), true);
  for (const std::vector<std::string>& row : table.rows)
    for (size_t i = 0; i < figures.size(); ++i) figures[i] = figures[i] && isFigure(row[i]);
  return figures;
}

std::string tableHtml(const Table& table) {
  if (table.rows.empty()) return {};
  const std::vector<bool> figures = figureColumns(table);
  const auto cell = [&](size_t i, const std::string& tag, const std::string& text) {
    const bool figure = i > 0 && figures[i];
    return "<" + tag + (figure ? " class=\"number\">" : ">") + textHtml(text) + "</" +
           tag.substr(0, 2) + ">";
  };
  const std::string name = escapedHtml(table.title);
  std::string html = "<table aria-label=\"" + name + "\">\n<thead><tr>";
  for (size_t i = 0; i < table.columns.size(); ++i)
    html += cell(i, "th scope=\"col\"", table.columns[i]);
  html += "</tr></thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    html += "<tr>";
    for (size_t i = 0; i < row.size(); ++i)
      html += cell(i, i == 0 ? "th scope=\"row\"" : "td", row[i]);
    html += "</tr>\n";
  }
  html += "</tbody></table>\n";
  if (table.cut) html += element("p", "The first " + std::to_string(table.rows.size()) + " rows.");
  // The caption stays in place when the table below it is scrolled. Screen readers use the table's
  // own name.
  return "<p class=\"caption\" aria-hidden=\"true\">" + name + "</p>\n" + scrolling(html);
}

/// The line's text. Parts that the question covers are veiled.
std::string codeHtml(const PageLine& line) {
  std::string html;
  for (const CoveredPiece& piece : coveredPieces(line.text, line.hidden))
    html += piece.covered
                ? "<span class=\"covered\" data-veiled=\"" + encoded(escapedHtml(piece.text)) +
                      "\">covered until you answer</span>"
                : escapedHtml(piece.text);
  return html;
}

std::string sourceHtml(const PageSource& source) {
  if (source.lines.empty()) return {};
  std::string lines;
  for (const PageLine& line : source.lines) {
    if (line.number == 0) {
      lines += "<span class=\"gap\">⋮</span>\n";
      continue;
    }
    const std::string number =
        "<span class=\"line-number\">" + std::to_string(line.number) + "</span> " + codeHtml(line);
    const std::string note =
        line.note.empty() ? "" : " <span class=\"remark\">" + escapedHtml(line.note) + "</span>";
    lines += line.running ? "<mark><span class=\"unseen\">This step runs: </span>" + number + note +
                                "</mark>\n"
                          : "<span class=\"line\">" + number + note + "</span>\n";
  }
  return "<h3>" + escapedHtml(source.name) + "</h3>\n" +
         scrolling("<pre><code>" + lines + "</code></pre>\n");
}

std::string numberText(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// Formats the text as HTML on one line of the key.
std::string lineOf(const std::string& text) {
  std::string html = richHtml(text);
  std::ranges::replace(html, '\n', ' ');
  std::ranges::replace(html, '\t', ' ');
  return html;
}

/// The data with which page.js judges an answer, in lines: the right answer, its text, the hint,
/// and then one line for each anticipated wrong answer with its number, a tab, and the reply.
std::string keyOf(const PageQuestion& question) {
  std::string key = (question.right ? numberText(*question.right) : "") + "\n" +
                    question.rightText + "\n" + lineOf(question.hint);
  for (const auto& [number, because] : question.wrong)
    key += "\n" + numberText(number) + "\t" + lineOf(because);
  return encoded(key);
}

std::string questionHtml(const PageQuestion& question, const std::string& id) {
  std::string html = "<div class=\"question\" role=\"group\" aria-labelledby=\"" + id +
                     "-question\" data-key=\"" + keyOf(question) + "\">\n<p id=\"" + id +
                     "-question\" class=\"asked\">" + richHtml(question.text) + "</p>\n";
  html += "<div class=\"answering\" hidden>\n";
  for (size_t i = 0; i < question.choices.size(); ++i)
    html += "<button type=\"button\" data-choice=\"" + std::to_string(i + 1) + "\">" +
            textHtml(question.choices[i]) + "</button>\n";
  if (question.choices.empty())
    html +=
        "<label>Your answer <input type=\"text\" inputmode=\"decimal\" autocomplete=\"off\" "
        "size=\"10\"></label>\n<button type=\"button\" data-entered>Answer</button>\n";
  html += "<button type=\"button\" class=\"plain\" data-show>Show</button>\n</div>\n";
  html += "<p class=\"verdict\" role=\"status\" tabindex=\"-1\"></p>\n";
  html += "<noscript><p>The answer is shown with JavaScript only.</p></noscript>\n";
  return html + veiled(paragraphs(question.explanation)) + "</div>\n";
}

std::string stepHtml(const PageStep& step, size_t number) {
  const std::string id = std::to_string(number);
  std::string counts = picturesHtml(step.details, "details");
  if (!step.remark.empty()) counts += element("p", step.remark);
  for (const Table& table : step.tables) counts += tableHtml(table);
  const std::string sentence = sentenceHtml(step);
  const bool asks = step.question.has_value();
  std::string html = "<section class=\"step\" id=\"" + id + "\" aria-labelledby=\"" + id +
                     "-title\">\n<h2 id=\"" + id +
                     "-title\" tabindex=\"-1\"><span class=\"place\">" + id + "</span> " +
                     textHtml(step.title) + "</h2>\n<div class=\"told\">\n" + paragraphs(step.text);
  if (asks) html += questionHtml(*step.question, id);
  if (!step.origin.empty()) html += element("p class=\"origin\"", "Figures: " + step.origin + ".");
  html += "</div>\n<div class=\"shown\">\n" + (asks ? veiled(sentence) : sentence);
  const std::string instead = tableHtml(step.instead);
  html += picturesHtml(step.pictures, "pictures") + (asks ? veiled(instead) : instead);
  html += (asks ? veiled(counts) : counts) + "</div>\n<div class=\"source\">\n";
  for (const PageSource& source : step.sources) html += sourceHtml(source);
  if (!step.place.empty()) html += element("p class=\"origin\"", step.place);
  return html + "</div>\n</section>\n";
}

std::string coloursCss(const std::vector<PageColour>& colours) {
  std::string light, dark;
  for (size_t i = 0; i < colours.size(); ++i) {
    const std::string name = "--p" + std::to_string(i) + ":";
    light += name + colours[i].light + ";";
    dark += name + colours[i].dark + ";";
  }
  return ":root{" + light + "}\n@media screen and (prefers-color-scheme:dark){:root{" + dark +
         "}}\n";
}

/// Replaces common parts of the pictures by references, and returns the parts. Pictures in the
/// details remain complete, because they are veiled.
std::string sharePictures(Page& page) {
  std::vector<PagePicture*> pictures;
  for (PageStep& step : page.steps)
    for (PagePicture& picture : step.pictures) pictures.push_back(&picture);
  std::vector<std::string_view> svgs;
  for (const PagePicture* picture : pictures) svgs.push_back(picture->svg);
  SharedParts shared = shareParts(svgs);
  for (size_t i = 0; i < pictures.size(); ++i) pictures[i]->svg = std::move(shared.svgs[i]);
  return shared.definitions;
}

constexpr const char* kNavigation =
    "<nav hidden aria-label=\"Steps\">\n"
    "<button type=\"button\" data-go=\"-1\"><span aria-hidden=\"true\">←</span> Back</button>\n"
    "<div class=\"where\"><span class=\"now\"></span>"
    "<progress max=\"1\" value=\"0\" aria-hidden=\"true\"></progress></div>\n"
    "<button type=\"button\" data-go=\"1\">Next <span aria-hidden=\"true\">→</span></button>\n"
    "</nav>\n<p class=\"unseen\" role=\"status\" aria-live=\"polite\" data-said></p>\n";

}  // namespace

std::string htmlOf(const Page& whole, const PageLook& look) {
  Page page = whole;
  std::string steps = sharePictures(page);
  for (size_t i = 0; i < page.steps.size(); ++i) steps += stepHtml(page.steps[i], i + 1);
  // Scripts need this nonce, which injected text cannot guess.
  const std::string nonce = hex64(fnv1a64(steps, fnv1a64(look.js)));
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "img-src data:; style-src 'nonce-" +
      nonce + "'; script-src 'nonce-" + nonce +
      "'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"generator\" content=\"Tilestep\">\n" +
      "<title>" + escapedHtml(page.title) + "</title>\n";
  html += "<style nonce=\"" + nonce + "\">\n" + coloursCss(page.colours) + look.css + "</style>\n";
  html += "</head>\n<body>\n<header>" + element("h1", page.title);
  if (!page.note.empty()) html += element("p class=\"note\"", page.note);
  html += "</header>\n<main>\n" + steps + "</main>\n" + kNavigation;
  return html + "<script nonce=\"" + nonce + "\">\n" + look.js + "</script>\n</body>\n</html>\n";
}

}  // namespace tilestep::model
