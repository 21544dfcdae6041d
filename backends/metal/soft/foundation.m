/* Objects, strings, errors and autorelease pools. */
#import <Foundation/Foundation.h>
#include <objc/runtime.h>

#include "backends/metal/soft/soft.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What stands in front of an object. */
typedef struct prefix {
    _Atomic long count;
    long unused; /* keeps the object aligned to 16 bytes */
} prefix;

static prefix *prefix_of(id object)
{
    return (prefix *)(void *)object - 1;
}

/* The last objects that died are kept a while, so that a release too many is reported
 * instead of hitting whoever got their memory. */
enum { KEPT = 256 };
static _Atomic(prefix *) graves[KEPT];
static _Atomic size_t buried;

static void bury(prefix *dead)
{
    size_t at = atomic_fetch_add(&buried, 1) % KEPT;
    free(atomic_exchange(&graves[at], dead));
}

static void soft_autorelease(id object);

@implementation NSObject
+ (void)initialize
{
}

+ (Class)class
{
    return self;
}

+ (instancetype)alloc
{
    prefix *memory = calloc(1, sizeof *memory + class_getInstanceSize(self));
    if (!memory)
        soft_assert_failed("out of memory for an object");
    id object = (id)(void *)(memory + 1);
    object_setClass(object, self);
    atomic_init(&memory->count, 1);
    return object;
}

+ (instancetype)new
{
    return [[self alloc] init];
}

- (instancetype)init
{
    return self;
}

- (id)retain
{
    long count = atomic_fetch_add(&prefix_of(self)->count, 1);
    SOFT_ASSERT(count > 0, "retain of %s, which is dead", object_getClassName(self));
    return self;
}

- (oneway void)release
{
    long count = atomic_fetch_sub(&prefix_of(self)->count, 1);
    SOFT_ASSERT(count > 0, "over-release of %s", object_getClassName(self));
    if (count == 1)
        [self dealloc];
}

- (id)autorelease
{
    soft_autorelease(self);
    return self;
}

- (void)dealloc
{
    bury(prefix_of(self));
}
@end

/* A string with its own text. */
@interface SoftString : NSString {
  @public
    char *_own;
}
@end

@implementation SoftString
- (const char *)UTF8String
{
    return _own;
}

- (void)dealloc
{
    free(_own);
    [super dealloc];
}
@end

@implementation NSString
+ (instancetype)stringWithUTF8String:(const char *)text
{
    SoftString *string = [SoftString new];
    string->_own = strdup(text);
    return [string autorelease];
}

- (const char *)UTF8String
{
    return "";
}
@end

/* Constants are not counted. */
@implementation NSConstantString
- (const char *)UTF8String
{
    return _text;
}

- (id)retain
{
    return self;
}

- (oneway void)release
{
}

- (id)autorelease
{
    return self;
}
@end

@implementation NSError
- (NSInteger)code
{
    return _code;
}

- (NSString *)localizedDescription
{
    return _text;
}

- (void)dealloc
{
    [_text release];
    [super dealloc];
}
@end

static _Thread_local NSAutoreleasePool *innermost;

@implementation NSAutoreleasePool
- (instancetype)init
{
    _outer = innermost;
    innermost = self;
    return self;
}

- (void)add:(id)object
{
    if (_count == _capacity) {
        _capacity = _capacity ? 2 * _capacity : 16;
        _objects = realloc(_objects, _capacity * sizeof *_objects);
        if (!_objects)
            soft_assert_failed("out of memory for an autorelease pool");
    }
    _objects[_count++] = object;
}

- (void)drain
{
    while (innermost != self)
        [innermost drain];
    for (size_t i = 0; i < _count; i++)
        [_objects[i] release];
    free(_objects);
    innermost = _outer;
    [super release];
}

- (oneway void)release
{
    [self drain];
}
@end

static void soft_autorelease(id object)
{
    SOFT_ASSERT(innermost, "%s autoreleased where no pool is",
                object_getClassName(object));
    [innermost add:object];
}
