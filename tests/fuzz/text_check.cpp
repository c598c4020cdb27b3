// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <regex>
#include <sstream>

#include "compile/text/bracket_pairs.h"
#include "compile/text/conditions.h"
#include "compile/text/cuda_lexer.h"
#include "compile/text/directives.h"
#include "compile/text/headers.h"
#include "compile/text/host_part.h"
#include "compile/text/host_variables.h"
#include "compile/text/template_arguments.h"
#include "compile/text/text_constants.h"
#include "fuzz/checks.h"
#include "ptx/text/parser.h"

namespace tilestep::fuzz {
namespace {

std::string checkTokens(std::string_view text) {
  const std::vector<compile::CudaToken> tokens = compile::cudaTokens(text);
  const char* behind = text.data();
  for (const compile::CudaToken& token : tokens) {
    if (token.text.empty()) return "an empty token";
    if (token.text.data() < behind) return "tokens that overlap";
    behind = token.text.data() + token.text.size();
    if (behind > text.data() + text.size()) return "a token beyond the text";
  }
  const compile::BracketPairs pairs(tokens);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (pairs.behind(i) > tokens.size()) return "a bracket closed beyond the end";
  }
  return {};
}

/// Joins lines, as all compilers do.
std::string joined(std::string_view text) {
  std::string whole;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("\\\n"))
      i += 1;
    else if (rest.starts_with("\\\r\n"))
      i += 2;
    else
      whole += text[i];
  }
  return whole;
}

/// The end of a literal that begins at `at`: after its closing quote, or at its line's end.
size_t endOfLiteral(std::string_view text, size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == quote) return at + 1;
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n') ++at;
  }
  return at;
}

/// The joined text with a blank instead of each comment; literals stay.
std::string withoutComments(std::string_view text) {
  std::string bare;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    if (text.substr(at).starts_with("//")) {
      end = std::min(text.find('\n', at), text.size());
      bare += ' ';
    } else if (text.substr(at).starts_with("/*")) {
      end = text.find("*/", at + 2);
      end = end == std::string_view::npos ? text.size() : end + 2;
      bare += ' ';
    } else {
      const bool separates = text[at] == '\'' && at > 0 && std::isalnum(text[at - 1]) != 0;
      if ((text[at] == '"' || text[at] == '\'') && !separates) end = endOfLiteral(text, at);
      bare += text.substr(at, end - at);
    }
    at = end;
  }
  return bare;
}

bool isAllowed(const std::string& line) {
  static const std::regex kPlain(R"re(\s*(#|%:)\s*include\s*(<([\w./-]*)>|"([\w./-]*)")\s*)re");
  std::smatch found;
  if (!std::regex_match(line, found, kPlain)) return false;
  const std::string header = found[3].matched ? found[3].str() : found[4].str();
  return header.find("..") == std::string::npos && !header.starts_with('/') &&
         compile::isPlainHeader(header);
}

}  // namespace

std::string foreignDirective(std::string_view text) {
  static const std::regex kForeign(
      R"re(\s*(#|%:)\s*((include|include_next|import|embed|line)\b|\d).*)re");
  static const std::regex kQuestion(R"re(\b__has_(include|include_next|embed)\b)re");
  const std::string whole = joined(text);
  // In a raw string, lines are not joined, and quotes and comments are ordinary characters.
  if (whole.find("R\"") != std::string::npos) return {};
  std::istringstream lines(withoutComments(whole));
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (std::regex_match(line, kForeign) && !isAllowed(line)) return line;
  }
  // Literals may hold anything.
  std::string code = withoutComments(whole);
  for (size_t at = 0; at < code.size(); ++at) {
    if (code[at] != '"' && code[at] != '\'') continue;
    const size_t end = endOfLiteral(code, at);
    for (; at < end; ++at) code[at] = code[at] == '\n' ? '\n' : ' ';
    --at;
  }
  return std::regex_search(code, kQuestion) ? "__has_include" : "";
}

/// A module whose code names a table.
const ptx::Module& oneVariable() {
  static const ptx::Module kModule =
      ptx::parse(
          ".version 8.0\n.target sm_75\n.address_size 64\n.global .b8 a[16];\n"
          ".visible .entry f() { .reg .b64 %r; mov.u64 %r, a; ret; }\n",
          "fuzz.ptx")
          .value();
  return kModule;
}

std::string checkConstants(std::string_view text) {
  (void)compile::hostPart(text);
  for (const compile::TextConstant& each : compile::textConstants(text)) {
    size_t behind = 0;
    for (const compile::TextConstant::Place& place : each.places) {
      if (place.begin < behind || place.end <= place.begin || place.end > text.size())
        return "a number outside the text";
      behind = place.end;
    }
    if (each.places.empty() || std::ranges::count(each.values, each.value) != 1)
      return "a number without its value";
    const std::string same = compile::withValue(text, each, each.value);
    if (compile::textConstants(same).empty()) return "a number is lost with its own value";
  }
  return {};
}

std::string checkText(std::string_view text) {
  // The compile service refuses it first.
  if (text.find('\0') != std::string_view::npos) return {};
  if (std::string trouble = checkTokens(text); !trouble.empty()) return trouble;
  if (std::string trouble = checkConstants(text); !trouble.empty()) return trouble;
  (void)compile::checkHostVariables(oneVariable(), text, "fuzz.cu");
  (void)compile::doubtfulCondition(text);
  (void)compile::launchedArguments(compile::cudaTokens(text), "k");
  const Status taken = compile::checkDirectives(text, "fuzz.cu");
  if (!taken) return checkRefusal(taken.error(), text, true);
  const std::string foreign = foreignDirective(text);
  return foreign.empty() ? "" : "an accepted text holds: " + foreign;
}

}  // namespace tilestep::fuzz
