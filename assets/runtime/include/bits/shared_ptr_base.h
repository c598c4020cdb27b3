// SPDX-License-Identifier: Apache-2.0
// The standard library's header uses a name that CUDA defines as an attribute.
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
