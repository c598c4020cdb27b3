// SPDX-License-Identifier: Apache-2.0
// What the driver does for a kernel: printf, assert, malloc and free (CUDA C++ Programming Guide,
// "Formatted Output", "Assertion" and "Dynamic Global Memory Allocation and Operations").
#pragma once

extern "C" __attribute__((device)) int printf(const char* format, ...);
extern "C" __attribute__((device)) void* malloc(size_t bytes);
extern "C" __attribute__((device)) void free(void* memory);

#ifndef TILESTEP_PROGRAM  // Whole programs have these from the standard library and from clang.
// Behave like built-in functions: only those that a kernel uses are compiled.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winline-new-delete"
__attribute__((device)) inline void* operator new(size_t bytes) {
  return malloc(bytes);
}
__attribute__((device)) inline void* operator new[](size_t bytes) {
  return malloc(bytes);
}
__attribute__((device)) inline void operator delete(void* memory) noexcept {
  free(memory);
}
__attribute__((device)) inline void operator delete[](void* memory) noexcept {
  free(memory);
}
__attribute__((device)) inline void operator delete(void* memory, size_t) noexcept {
  free(memory);
}
__attribute__((device)) inline void operator delete[](void* memory, size_t) noexcept {
  free(memory);
}
#pragma clang diagnostic pop
#endif

extern "C" __attribute__((device, noreturn)) void __assertfail(const char* text, const char* file,
                                                               unsigned int line,
                                                               const char* function,
                                                               size_t bytesOfACharacter);

#ifndef TILESTEP_PROGRAM
// Kernels need no header for it, as with NVRTC.
#define assert(condition) \
  ((condition) ? (void)0 : __assertfail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__, 1))
#else
// The function that the standard library's assert calls.
extern "C" __attribute__((device, always_inline, nodebug)) inline void __assert_fail(
    const char* text, const char* file, unsigned int line, const char* function) {
  __assertfail(text, file, line, function, 1);
}
#endif

// Names that nvcc knows without an include.
TILESTEP_INLINE void* memcpy(void* to, const void* from, size_t bytes) {
  return __builtin_memcpy(to, from, bytes);
}
TILESTEP_INLINE void* memset(void* to, int byte, size_t bytes) {
  return __builtin_memset(to, byte, bytes);
}

TILESTEP_INLINE void __trap() {
  asm volatile("trap;");
}
TILESTEP_INLINE void __brkpt() {
  asm volatile("brkpt;");
}
