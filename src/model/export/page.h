// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/export/table.h"

/// Steps as one web page that needs no other file: each with its texts, pictures, source and
/// counts. A page is a value; who makes it knows the window, who writes it knows HTML.
namespace tilestep::model {

/// A colour in the page's light and in its dark appearance, as CSS: "#fbfbf9".
struct PageColour {
  std::string light, dark;
  bool operator==(const PageColour&) const = default;
};

struct PagePicture {
  /// An `svg` element that becomes part of the page as it is, so its texts are escaped already.
  /// `var(--p0)` is the first of the page's colours.
  std::string svg;
};

/// A line of the kernel's source.
struct PageLine {
  uint32_t number = 0;  ///< From 1; 0: some lines are left out here.
  std::string text;
  bool running = false;   ///< The step runs it.
  std::string note = {};  ///< A remark, as on a barrier; may be empty.
  /// Texts in it that are shown once the step's question was answered.
  std::vector<std::string> hidden = {};
};

struct PageSource {
  std::string name;  ///< "matmul_tiled.cu"
  std::vector<PageLine> lines;
};

/// Texts may hold **bold** and `code`.
struct PageQuestion {
  std::string text;
  std::vector<std::string> choices;  ///< Empty: the answer is a number.
  /// The number, or the index of the right choice, counted from 1; nothing: it is not known.
  std::optional<double> right;
  std::string rightText;                 ///< "Answer: 32", or why it is not known.
  std::vector<std::string> explanation;  ///< Paragraphs that follow the answer.
  std::string hint = {};                 ///< Shown after the second wrong answer; may be empty.
  /// Wrong answers that were foreseen, and what is said of each.
  std::vector<std::pair<double, std::string>> wrong = {};
};

struct PageStep {
  std::string title;
  std::string place;              ///< "phase 0, first of 2 · epoch 0 · lines 80–89"
  std::vector<std::string> text;  ///< Paragraphs with **bold** and `code`.
  std::string sentence;           ///< The scene's headline.
  std::string remark;             ///< What else is to be said of the step; may be empty.
  std::vector<PagePicture> pictures;
  Table instead;                     ///< Takes the pictures' place if it has rows.
  std::vector<PagePicture> details;  ///< The panel of one warp or thread.
  std::vector<PageSource> sources;
  std::vector<Table> tables;  ///< What the pictures show, in numbers and words.
  std::string origin;         ///< Where the figures in the texts come from.
  /// Sentence, remark, details, `instead` and tables may give the answer away, so they are shown
  /// after it.
  std::optional<PageQuestion> question;
};

struct Page {
  std::string title;
  std::string note;  ///< What a reader must know before the first step; may be empty.
  std::vector<PageColour> colours;
  std::vector<PageStep> steps;
};

/// The page's appearance and behaviour, from assets/page.
struct PageLook {
  std::string css, js;
};

/// The HTML document. Without JavaScript all steps stand one below the other, without answers.
/// Every text is escaped, and a Content-Security-Policy forbids network access and any script but
/// the page's own.
[[nodiscard]] std::string htmlOf(const Page& page, const PageLook& look);

}  // namespace tilestep::model
