// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda_runtime.h"
#define CUDA_VERSION 12000
