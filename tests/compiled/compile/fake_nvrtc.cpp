// SPDX-License-Identifier: Apache-2.0
// Imitates NVRTC of CUDA FAKE_MAJOR, and compiles everything to a line that contains this version.
#include <cstring>
#include <string>

namespace {
const std::string& text() {
  static const std::string made = "made by " + std::to_string(FAKE_MAJOR);
  return made;
}
}  // namespace

extern "C" {
int nvrtcVersion(int* major, int* minor) {
  *major = FAKE_MAJOR;
  *minor = 4;
  return 0;
}
const char* nvrtcGetErrorString(int) {
  return "a fake";
}
int nvrtcCreateProgram(void** program, const char*, const char*, int, const char* const*,
                       const char* const*) {
  *program = program;
  return 0;
}
int nvrtcDestroyProgram(void**) {
  return 0;
}
int nvrtcAddNameExpression(void*, const char*) {
  return 0;
}
int nvrtcCompileProgram(void*, int, const char* const*) {
  return 0;
}
int nvrtcGetPTXSize(void*, size_t* size) {
  *size = text().size() + 1;
  return 0;
}
int nvrtcGetPTX(void*, char* out) {
  std::memcpy(out, text().c_str(), text().size() + 1);
  return 0;
}
int nvrtcGetProgramLogSize(void*, size_t* size) {
  *size = 1;
  return 0;
}
int nvrtcGetProgramLog(void*, char* out) {
  *out = 0;
  return 0;
}
}
