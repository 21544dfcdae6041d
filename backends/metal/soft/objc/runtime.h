/* The entry points of libobjc4 that are used, with the shapes of Apple's
 * <objc/runtime.h>. */
#ifndef PARITY_SOFT_OBJC_RUNTIME_H
#define PARITY_SOFT_OBJC_RUNTIME_H

#include <objc/objc.h>

size_t class_getInstanceSize(Class);
Class object_setClass(id, Class);
const char *object_getClassName(id);

#endif
