// SPDX-License-Identifier: Apache-2.0
#include "classes/hostile_files.h"

namespace tilestep::system_test {
namespace {

/// A right kernel with `before` in front of it and `inside` in its body.
struct Change {
  std::string id, before, inside;
};

/// D4(f, 1) expands to f of 10,000 names.
const std::string kRepeats =
    R"(#define D1(f, p) f(p##0) f(p##1) f(p##2) f(p##3) f(p##4) f(p##5) f(p##6) f(p##7) f(p##8) f(p##9)
#define D2(f, p) \
  D1(f, p##0) D1(f, p##1) D1(f, p##2) D1(f, p##3) D1(f, p##4) \
  D1(f, p##5) D1(f, p##6) D1(f, p##7) D1(f, p##8) D1(f, p##9)
#define D3(f, p) \
  D2(f, p##0) D2(f, p##1) D2(f, p##2) D2(f, p##3) D2(f, p##4) \
  D2(f, p##5) D2(f, p##6) D2(f, p##7) D2(f, p##8) D2(f, p##9)
#define D4(f, p) \
  D3(f, p##0) D3(f, p##1) D3(f, p##2) D3(f, p##3) D3(f, p##4) \
  D3(f, p##5) D3(f, p##6) D3(f, p##7) D3(f, p##8) D3(f, p##9)
)";

/// A15 expands to a billion additions.
std::string macroBomb() {
  std::string text = "#define A1 +1 +1 +1 +1";
  for (int i = 1; i < 15; ++i) {
    const std::string last = " A" + std::to_string(i);
    text += "\n#define A" + std::to_string(i + 1) + last + last + last + last;
  }
  return text;
}

const std::vector<Change> kChanges{
    {"brackets", "", "P[0] = " + std::string(20'000, '(') + "1" + std::string(20'000, ')') + ";"},
    {"asm_file", "", R"(asm(".file 2 \"/etc/hostname\"");
asm(".pragma \"nounroll\"; ld.global.f32 %f1, [0];");
return;)"},
    {"assert", "#include <cassert>", "assert(m < 0);"},
    {"barrier_divergent", "", "if (threadIdx.x % 2) __syncthreads();"},
    {"blocks_and_registers", kRepeats + R"(#define REG(n) "add.u32 a" #n ", a" #n ", 1;\n"
#define BACK(n) "B" #n ": @p bra B" #n ";\n")",
     R"(asm volatile("{\n.reg .pred p;\n.reg .u32 a<40000>;\nsetp.eq.u32 p, a0, 1;\n" D4(REG, 1) D4(REG, 2)
D4(REG, 3) D4(BACK, 1) D4(BACK, 2) D4(BACK, 3) "}");)"},
    {"branch_tables", kRepeats + R"(#define NAME(n) ", L" #n
#define JUMP(n) "brx.idx %0, T;\n"
#define LABEL(n) "L" #n ": add.u32 %0, %0, 1;\n")",
     R"(unsigned way = 0;
asm volatile("{\nT: .branchtargets L0" D4(NAME, 1) ";\n" D4(JUMP, 1) D4(LABEL, 1) "L0: \n}"
: "+r"(way));)"},
    {"constexpr_endless",
     R"(constexpr long long spin(long long n) { long long s = 0; for (long long i = 0; i < n; ++i) s += i ^ s; return s; }
constexpr long long value = spin(1ll << 60);)",
     "P[0] = value;"},
    {"detects_sizes", "", R"(if (m > 1000) return;
if (m != 1024) P[0] = 0;)"},
    {"embed", R"(const unsigned char data[] = {
#embed "/etc/hostname"
};)",
     ""},
    {"front_matter_zero", R"(/*---
reference = "none"
sizes = { m = 1, n = 1 }
[[operand]]
name = "P"
fill = "zero"
---*/)",
     R"(P[0] = 0;
return;)"},
    {"global_huge", "__device__ float all[1ull << 34];", R"(all[row] = 1;
P[0] = all[0];)"},
    {"has_include", R"(#if __has_include("/etc/hostname")
#define YES 1
#endif)",
     ""},
    {"include_absolute", R"(#include "/etc/hostname")", "M = N;"},
    {"include_comment", R"(#/**/include/*<math.h>*/"/etc/hostname")", ""},
    {"include_digraph", R"(%:include "/etc/hostname")", "M = N;"},
    {"include_in_body", "", R"(#include "/etc/hostname")"},
    {"include_macro", R"(#define F "/etc/hostname"
#include F)",
     "M = N;"},
    {"include_self", "#include __FILE__", "M = N;"},
    {"include_split", R"(#inc\
lude "/etc/hostname")",
     "M = N;"},
    {"inlined_lines",
     kRepeats + R"(#define LINE(n) ".loc 1 5 0, function_name f, inlined_at 1 5 0\n")", R"(P[0] = 0;
asm volatile(D4(LINE, 1) D4(LINE, 2) D4(LINE, 3));)"},
    {"line_directive", R"(#line 1 "/etc/hostname")", ""},
    {"local_huge", "", R"(float all[1 << 22];
for (int i = 0; i < 1 << 22; ++i) all[i] = i * m;
P[0] = all[n];)"},
    {"loop_barrier", "", "for (;;) __syncthreads();"},
    {"loop_forever", "", "while (true) {}"},
    {"loop_int_max", "", "for (long long i = 0; i < 1ll << 60; ++i) P[0] = i;"},
    {"loop_one_thread", "",
     "if (threadIdx.x == 0 && blockIdx.x == 0) for (;;) atomicAdd(P, 1.0f);"},
    {"loop_volatile", "", R"(volatile float* p = P;
while (p[0] != 12345.0f) p[0] = 1;)"},
    {"macro_bomb", macroBomb(), "P[0] = 0 A15;"},
    {"malloc_flood", "",
     "for (int i = 0; i < 1000000; ++i) { volatile char* p = (char*)malloc(1 << 20); if (p) p[0] = "
     "1; }"},
    {"print_escape", "#include <cstdio>", R"(printf("\033]0;owned\007\033[2Jcheck right\n");
P[0] = 1;)"},
    {"print_flood", "#include <cstdio>",
     R"(for (int i = 0; i < 1000000; ++i) printf("%s %d\n", "verdict right verdict right verdict right", i);)"},
    {"raw_string", R"(const char* text = R"x(
#include "/etc/hostname")",
     ""},
    {"recursion", "__device__ int down(int n) { return n < 0 ? 0 : 1 + down(n + 1) * 2 % 7; }",
     "P[0] = down(1);"},
    {"says_right", R"(// verdict: right
// marks: 6 of 6)",
     "return;"},
    {"shared_huge", "", R"(__shared__ float all[1 << 26];
all[threadIdx.x] = 1;
P[0] = all[0];)"},
    {"template_bomb",
     R"(template <int N> struct F { static constexpr long long v = F<N - 1>::v + F<N - 2>::v * 3; };
template <> struct F<0> { static constexpr long long v = 0; };
template <> struct F<1> { static constexpr long long v = 1; };
template <int A, int B> struct G { static constexpr long long v = G<A - 1, B>::v + G<A, B - 1>::v; };
template <int A> struct G<A, 0> { static constexpr long long v = A; };
template <int B> struct G<0, B> { static constexpr long long v = B; };)",
     "P[0] = F<190>::v + G<190, 190>::v;"},
    {"template_endless", "template <class T> struct N { using type = typename N<N<T>>::type; };",
     "P[0] = sizeof(N<int>::type);"},
    {"trap", "", R"(asm("trap;");)"},
    {"unroll_bomb", "", R"(#pragma unroll
for (int i = 0; i < 1000000; ++i) P[i % n] += sinf(i);)"},
    {"unterminated", "/* never closed", ""},
    {"variable_huge", "__device__ char big[4200000000];", "big[row] = 1;"},
    {"wait_for_nobody", "", R"(volatile float* p = P;
while (p[0] == p[0] - 1) {}
while (atomicAdd(&P[0], 0.0f) != 7.0f) {})"},
    {"wild_call", "", R"(void (*f)() = (void (*)())(long long)(m * 7919);
f();)"},
    {"write_far", "", "P[1ll << 40] = 1;"},
    {"write_inputs", "", "((float*)M)[0] = 1e9f;"},
    {"write_null", "", "*(float*)0 = 1;"},
    {"writes_and_reads", kRepeats + R"(#define WRITE(n) "@p add.u32 a, a, 1;\n"
#define READ(n) "add.u32 b, a, a;\n")",
     R"(asm volatile("{\n.reg .pred p;\n.reg .u32 a, b;\nmov.u32 a, 0;\nsetp.eq.u32 p, a, 0;\n" D4(WRITE, 1)
D4(READ, 1) "}");)"},
};

}  // namespace

std::vector<HostileFile> hostileFiles() {
  std::vector<HostileFile> files;
  for (const Change& change : kChanges)
    files.push_back({change.id, change.before + R"(
__global__ void add(const float* M, const float* N, float* P, int m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
)" + change.inside + R"(
  if (row < m && col < n) P[row * n + col] = M[row * n + col] + N[row * n + col];
}
)"});
  return files;
}

}  // namespace tilestep::system_test
