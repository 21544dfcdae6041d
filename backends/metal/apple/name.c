/* The column of a device that Apple's frameworks provide. */
#include "backends/metal/gpu.h"

const char metal_device_name[] = "metal";
