/* Compiled by meson: whether the headers have what shim.cpp needs of newer ones. */
#include <c10/core/ScalarType.h>
#include <torch/headeronly/version.h>

auto probe = &c10::getStringToDtypeMap;
const char *version = TORCH_VERSION;
