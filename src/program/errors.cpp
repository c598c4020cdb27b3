// SPDX-License-Identifier: Apache-2.0
#include "program/errors.h"

namespace tilestep::program {

const char* textOf(int error) {
  switch (error) {
#define CUDA_ERROR(number, name, text) \
  case number:                         \
    return text;
#include "errors.def"
#undef CUDA_ERROR
    default:
      return "an unknown error";
  }
}

}  // namespace tilestep::program
