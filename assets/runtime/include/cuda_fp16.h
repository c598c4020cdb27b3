// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../../clang/include/cuda_fp16.h"
