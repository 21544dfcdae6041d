/* The column of a device that is no GPU. */
#include "backends/metal/gpu.h"

const char metal_device_name[] = "metal-soft";
