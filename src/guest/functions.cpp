// SPDX-License-Identifier: Apache-2.0
#include "guest/functions.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <iterator>
#include <map>
#include <string_view>

#include "guest/connection.h"
#include "guest/errors.h"

extern "C" {
// The start of the section, by the name that the linker gives it.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
[[gnu::visibility("hidden")]] extern char __start_tilestep_managed;
}

namespace tilestep::guest {
namespace {

// The program's constructors fill these maps in any order, so they cannot be plain globals.
std::map<const void*, Function>& functions() {
  static auto& all = *new std::map<const void*, Function>;
  return all;
}
std::map<const void*, Variable>& variables() {
  static auto& all = *new std::map<const void*, Variable>;
  return all;
}

/// The data that clang expects to be machine code. It holds the output of program/build.cpp.
struct Wrapper {
  int magic, version;
  const char* data;
  void* unused;
};

struct Module {
  uint32_t number = 0;
  int error = 0;
};

constexpr size_t kPage = 4096;
/// The last object of the section, because the program is linked with this library after its own
/// objects. It ensures that nothing else is in the last page of the last variable.
[[gnu::section("tilestep_managed"), gnu::aligned(kPage), gnu::used]] char lastPage[kPage] = {1};

/// Whether the host's variable is in the section of __managed__ variables.
bool isManaged(const char* host) {
  return host >= &__start_tilestep_managed && host < lastPage;
}

/// Maps the device's memory over the host's variable, which does not share its pages with others.
void shareVariable(char* host, uint64_t bytes, int descriptor) {
  const void* const at =
      mmap(host, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0);
  close(descriptor);
  if (at == MAP_FAILED) fail("the memory of a __managed__ variable cannot be shared");
}

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

uint64_t managedAddressOf(uint64_t pointer) {
  const auto behind = variables().upper_bound(reinterpret_cast<const void*>(pointer));
  if (behind == variables().begin()) return 0;
  const auto& [first, variable] = *std::prev(behind);
  const uint64_t offset = pointer - reinterpret_cast<uint64_t>(first);
  return variable.isManaged && offset < variable.bytes ? variable.address + offset : 0;
}

}  // namespace tilestep::guest

using namespace tilestep::guest;

// Clang's code calls these names.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

void** __cudaRegisterFatBinary(void* data) {
  const auto& wrapper = *static_cast<const Wrapper*>(data);
  auto* module = new Module;
  // The format is "TILESTEP", the byte count, then the contents.
  uint64_t bytes = 0;
  if (std::memcmp(wrapper.data, "TILESTEP", 8) != 0)
    fail("this program was compiled by a different compiler");
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

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t bytes, int,
                       int) {
  const auto& module = *reinterpret_cast<const Module*>(handle);
  if (module.error != 0) return;
  const bool managed = isManaged(host);
  const Named named{module.number, managed, bytes};
  const iovec pieces[] = {pieceOf(&named, sizeof named), pieceOf(name, std::strlen(name))};
  uint64_t address = 0;
  const iovec place{&address, sizeof address};
  Answer answer{{&place, 1}};
  // A variable that no kernel uses is not in the module, but the variable's memory exists.
  if (ask(Call::variable, nullptr, pieces, &answer) != 0) return;
  variables()[host] = {address, bytes, managed};
  if (managed) shareVariable(host, bytes, answer.descriptor);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
