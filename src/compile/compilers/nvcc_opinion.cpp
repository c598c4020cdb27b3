// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/nvcc_opinion.h"

#include <utility>

#include "compile/host/nvcc_doubts.h"

namespace tilestep::compile {
namespace {

/// `error` with other words in front of its own.
Error told(Error error, ErrorKind kind, const std::string& words) {
  error.kind = kind;
  error.message = words + ": " + error.message;
  return error;
}

/// Whether the compiler refuses a place in the text: nothing else is nvcc's to judge. What is wrong
/// with the PTX has passed the compiler.
bool isOfText(const Error& error, const std::string& path) {
  return error.where && error.where->file != path + " (PTX)";
}

/// What nvcc refuses in code of the host may be due to its version or to a library.
Error refusedElsewhere(const Error& error, const std::string& name) {
  return told(error, ErrorKind::work, name + " refuses this, which is not device code");
}

/// The compiler takes it, and nvcc says `word`.
Status whereTaken(const NvccAnswer& word) {
  if (word.kind != NvccAnswer::Kind::refuses) return {};
  if (word.isOfDevice) return told(*word.error, ErrorKind::request, word.name);
  return refusedElsewhere(*word.error, word.name);
}

/// The compiler refuses it with `own`, and nvcc says `word`.
Error whereRefused(const Error& own, const NvccAnswer& word, const NvccCase& each) {
  if (word.kind == NvccAnswer::Kind::takes)
    return told(own, ErrorKind::work,
                word.name + " takes the file, and " + each.compiler + " does not take this");
  if (word.kind == NvccAnswer::Kind::takesOtherwise)
    return told(own, ErrorKind::work,
                word.name + " takes the file only as C++20 or for newer GPUs");
  const std::string doubt = whyNvccMayTake(own, each.source.text, each.source.path);
  if (doubt.empty() && own.kind == ErrorKind::request) return own;
  if (word.kind == NvccAnswer::Kind::refuses)
    return word.isOfDevice ? told(*word.error, ErrorKind::request, word.name)
                           : refusedElsewhere(*word.error, word.name);
  return doubt.empty() ? own : told(own, ErrorKind::work, doubt);
}

}  // namespace

Status asNvccWould(const NvccCase& each) {
  if (!each.own && !isOfText(each.own.error(), each.source.path)) return each.own;
  const Result<NvccAnswer> word = each.ask();
  // It may take the file, or refuse it, at another time.
  if (!word) return word.error();
  return each.own ? whereTaken(*word) : Status(whereRefused(each.own.error(), *word, each));
}

}  // namespace tilestep::compile
