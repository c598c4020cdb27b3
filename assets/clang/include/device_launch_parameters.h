// SPDX-License-Identifier: Apache-2.0
// Empty: cuda_subset.h, which is included first, declares what kernels need from this header.
#pragma once
