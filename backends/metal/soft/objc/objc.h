/* The declarations of Apple's <objc/objc.h> that are used here. gcc's copy is not in
 * clang's path, and adding its folder breaks <stdatomic.h>. */
#ifndef PARITY_SOFT_OBJC_H
#define PARITY_SOFT_OBJC_H

#include <stddef.h>
#include <stdint.h>

typedef struct objc_class *Class;
typedef struct objc_object {
    Class isa;
} * id;
typedef const struct objc_selector *SEL;
typedef id (*IMP)(id, SEL, ...);
typedef unsigned char BOOL; /* what libobjc4 was built with */

#define YES ((BOOL)1)
#define NO  ((BOOL)0)
#define nil ((id)0)
#define Nil ((Class)0)

#endif
