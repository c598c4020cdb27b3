#pragma once
#include_next <fenv.h>
#ifndef FE_DOWNWARD
#define FE_DOWNWARD 1
#define FE_UPWARD 2
#define FE_TOWARDZERO 3
#endif
