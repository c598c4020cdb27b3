// SPDX-License-Identifier: Apache-2.0
#include "program/error_string.h"

namespace tilestep::program {

std::string errorString(int error) {
  switch (error) {
#define CUDA_ERROR(number, name, text) \
  case number:                         \
    return text;
#include "errors.def"
#undef CUDA_ERROR
    default:
      return "error " + std::to_string(error);
  }
}

}  // namespace tilestep::program
