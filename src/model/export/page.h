// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/export/table.h"

/// Steps as one self-contained web page, each with its texts, pictures, source and counts. A page
/// is a value, so that the code that makes it depends only on the window, and the code that writes
/// it only on HTML.
namespace tilestep::model {

/// A colour in the page's light and dark appearance, as CSS: "#fbfbf9".
struct PageColour {
  std::string light, dark;
  bool operator==(const PageColour&) const = default;
};

struct PagePicture {
  /// An `svg` element that is inserted unchanged, so its texts are already escaped. `var(--p0)` is
  /// the first of the page's colours.
  std::string svg;
};

struct PageLine {
  uint32_t number = 0;  ///< From 1; 0 for a gap where lines are omitted.
  std::string text;
  bool running = false;   ///< The step executes it.
  std::string note = {};  ///< A remark on the line, for example about a barrier; may be empty.
  /// Parts of the line that are shown only after the step's question was answered.
  std::vector<std::string> hidden = {};
};

struct PageSource {
  std::string name;  ///< "matmul_tiled.cu"
  std::vector<PageLine> lines;
};

/// Texts may contain **bold** and `code`.
struct PageQuestion {
  std::string text;
  std::vector<std::string> choices;  ///< Empty if the answer is a number.
  /// The right number, or the index of the right choice, counted from 1; absent if unknown.
  std::optional<double> right;
  std::string rightText;                 ///< "Answer: 32", or the reason why it is not known.
  std::vector<std::string> explanation;  ///< Paragraphs that follow the answer.
  /// Parts of the source that are shown only after the answer.
  std::vector<std::string> hidden = {};
  std::string hint = {};  ///< Shown after the second wrong answer; may be empty.
  /// Anticipated wrong answers, and the reply to each.
  std::vector<std::pair<double, std::string>> wrong = {};
};

struct PageStep {
  std::string title;
  std::string place;              ///< "phase 0, first of 2 · epoch 0 · lines 80–89"
  std::vector<std::string> text;  ///< Paragraphs with **bold** and `code`.
  std::string sentence;           ///< The scene's headline.
  std::string warp;               ///< Describes the picture of one warp; may be empty.
  std::string remark;             ///< A further remark on the step; may be empty.
  std::vector<PagePicture> pictures;
  Table instead;                     ///< A table that replaces the pictures if it has rows.
  std::vector<PagePicture> details;  ///< The panel of one warp or thread.
  std::vector<PageSource> sources;
  std::vector<Table> tables;  ///< The content of the pictures in numbers and words.
  std::string origin;         ///< The origin of the figures in the texts.
  /// If there is a question, the sentence, remark, details, `instead` and tables may reveal the
  /// answer, so they are shown only after it.
  std::optional<PageQuestion> question;
};

struct Page {
  std::string title;
  std::string note;  ///< Information that a reader needs before the first step; may be empty.
  std::vector<PageColour> colours;
  std::vector<PageStep> steps;
};

/// The page's appearance and behaviour, from assets/page.
struct PageLook {
  std::string css, js;
};

/// The HTML document. Without JavaScript all steps are shown one below the other, without answers.
/// Every text is escaped, and a Content-Security-Policy forbids network access and any script but
/// the page's own.
[[nodiscard]] std::string htmlOf(const Page& page, const PageLook& look);

}  // namespace tilestep::model
