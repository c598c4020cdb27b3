// SPDX-License-Identifier: Apache-2.0
#include "guest/driver/driver.h"

#include <dlfcn.h>

namespace tilestep::guest {

const char* open(Driver& driver) {
  // Never closed, because the library runs its own threads.
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return "libcuda.so.1 was not found";
#define DRIVER_FUNCTION(name, symbol, ...)                                        \
  driver.name = reinterpret_cast<decltype(driver.name)>(dlsym(library, #symbol)); \
  if (driver.name == nullptr) return "libcuda.so.1 is too old: it has no " #symbol;
#include "guest/driver/functions.def"
#undef DRIVER_FUNCTION
  return nullptr;
}

}  // namespace tilestep::guest
