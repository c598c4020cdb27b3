// SPDX-License-Identifier: Apache-2.0
// Stands in for NVRTC 13.0 where its results are stored (stored_results.h): it has the name and the
// version, and compiles nothing. It finds one mistake, a value that is missing as in "int i = ;".
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

namespace {

constexpr int kCompilation = 6, kInternal = 11;  // nvrtcResult

struct Program {
  std::string source, name, log;
};

Program& programIn(void* program) {
  return *static_cast<Program*>(program);
}

}  // namespace

extern "C" {
int nvrtcVersion(int* major, int* minor) {
  *major = 13;
  *minor = 0;
  return 0;
}
const char* nvrtcGetErrorString(int) {
  return "no result is stored for this kernel with these values; start the test program with "
         "--remake where NVRTC 13.0 is installed";
}
int nvrtcCreateProgram(void** program, const char* source, const char* name, int,
                       const char* const*, const char* const*) {
  *program = new Program{source, name, {}};
  return 0;
}
int nvrtcDestroyProgram(void** program) {
  delete static_cast<Program*>(*program);
  return 0;
}
int nvrtcAddNameExpression(void*, const char*) {
  return 0;
}
int nvrtcCompileProgram(void* compiled, int, const char* const*) {
  Program& program = programIn(compiled);
  const size_t at = program.source.find("= ;");
  if (at == std::string::npos) return kInternal;
  const auto line = 1 + std::count(program.source.begin(),
                                   program.source.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  program.log = program.name + "(" + std::to_string(line) + "): error: expected an expression\n";
  return kCompilation;
}
int nvrtcGetPTXSize(void*, size_t* size) {
  *size = 0;
  return 0;
}
int nvrtcGetPTX(void*, char*) {
  return 0;
}
int nvrtcGetProgramLogSize(void* program, size_t* size) {
  *size = programIn(program).log.size() + 1;
  return 0;
}
int nvrtcGetProgramLog(void* program, char* out) {
  const std::string& log = programIn(program).log;
  std::memcpy(out, log.c_str(), log.size() + 1);
  return 0;
}
}
