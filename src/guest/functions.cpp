// SPDX-License-Identifier: Apache-2.0
#include "guest/functions.h"

#include <cstring>
#include <map>
#include <string_view>

#include "guest/connection.h"
#include "guest/errors.h"

namespace tilestep::guest {
namespace {

// Filled by constructors of the program, in whatever order: neither may be a plain global.
std::map<const void*, Function>& functions() {
  static auto& all = *new std::map<const void*, Function>;
  return all;
}
std::map<const void*, Variable>& variables() {
  static auto& all = *new std::map<const void*, Variable>;
  return all;
}

/// What clang puts where the toolkit has its machine code: our compiler's output, see
/// src/program/compile.
struct Wrapper {
  int magic, version;
  const char* data;
  void* unused;
};

struct Module {
  uint32_t number = 0;
  int error = 0;
};

iovec pieceOf(const void* data, size_t bytes) {
  return {const_cast<void*>(data), bytes};
}

}  // namespace

const Function* functionAt(const void* pointer) {
  const auto found = functions().find(pointer);
  return found == functions().end() ? nullptr : &found->second;
}

const Variable* variableAt(const void* pointer) {
  const auto found = variables().find(pointer);
  return found == variables().end() ? nullptr : &found->second;
}

}  // namespace tilestep::guest

using namespace tilestep::guest;

// The names are those that clang's code calls.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

void** __cudaRegisterFatBinary(void* data) {
  const auto& wrapper = *static_cast<const Wrapper*>(data);
  auto* module = new Module;
  // "TILESTEP", the number of bytes, then the text.
  uint64_t bytes = 0;
  if (std::memcmp(wrapper.data, "TILESTEP", 8) != 0)
    fail("this program holds code of another compiler");
  std::memcpy(&bytes, wrapper.data + 8, sizeof bytes);
  const iovec piece = pieceOf(wrapper.data + 16, bytes);
  const iovec place{&module->number, sizeof module->number};
  Answer answer{{&place, 1}};
  module->error = ask(Call::module, nullptr, {&piece, 1}, &answer);
  return reinterpret_cast<void**>(module);
}

void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, void*,
                            void*, void*, void*, int*) {
  const auto& module = *reinterpret_cast<const Module*>(handle);
  Function& function = functions()[host];
  function.error = module.error;
  if (function.error != 0) return;
  const Named named{module.number, 0, 0};
  const iovec pieces[] = {pieceOf(&named, sizeof named), pieceOf(name, std::strlen(name))};
  constexpr size_t kMost = 4096;
  function.parameters.resize(kMost);
  const iovec places[] = {{&function.facts, sizeof function.facts},
                          {function.parameters.data(), kMost * sizeof(Parameter)}};
  Answer answer{places};
  function.error = ask(Call::function, nullptr, pieces, &answer);
  function.parameters.resize(function.error == 0 ? function.facts.parameters : 0);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t bytes,
                       int isConstant, int) {
  const auto& module = *reinterpret_cast<const Module*>(handle);
  if (module.error != 0) return;
  const Named named{module.number, static_cast<uint32_t>(isConstant), bytes};
  const iovec pieces[] = {pieceOf(&named, sizeof named), pieceOf(name, std::strlen(name))};
  uint64_t address = 0;
  const iovec place{&address, sizeof address};
  Answer answer{{&place, 1}};
  // A variable that no kernel uses is not in the module, but has its place.
  if (ask(Call::variable, nullptr, pieces, &answer) == 0) variables()[host] = {address, bytes};
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
