/* The part of Foundation that a Metal backend touches, for hosts that have none. Needs
 * clang's -fobjc-runtime=gcc and libobjc4. Names and types are Apple's; what is not here
 * may not be used. */
#ifndef PARITY_SOFT_FOUNDATION_H
#define PARITY_SOFT_FOUNDATION_H

#include <objc/objc.h>

typedef unsigned long NSUInteger;
typedef long NSInteger;
#define NS_ENUM(type, name)                                                              \
    enum name : type name;                                                               \
    enum name : type
#define NS_OPTIONS(type, name) NS_ENUM(type, name)

typedef struct _NSRange {
    NSUInteger location, length;
} NSRange;

static inline NSRange NSMakeRange(NSUInteger location, NSUInteger length)
{
    return (NSRange){location, length};
}

@protocol NSObject
- (id)retain;
- (oneway void)release;
- (id)autorelease;
@end

/* The count is kept in front of the object. A release too many ends the process. */
__attribute__((objc_root_class))
@interface NSObject<NSObject> {
    Class isa;
}
+ (instancetype)alloc;
+ (instancetype)new;
+ (Class)class;
+ (void)initialize;
- (instancetype)init;
- (void)dealloc;
@end

@interface NSString : NSObject
+ (instancetype)stringWithUTF8String:(const char *)text;
- (const char *)UTF8String;
@end

/* What clang emits for @"..." with -fconstant-string-class=NSConstantString. */
@interface NSConstantString : NSString {
    const char *_text;
    unsigned int _length;
}
@end

@interface NSError : NSObject {
  @public
    NSInteger _code;
    NSString *_text;
}
@property(readonly) NSInteger code;
@property(readonly) NSString *localizedDescription;
@end

/* What @autoreleasepool becomes with this runtime. */
@interface NSAutoreleasePool : NSObject {
    NSAutoreleasePool *_outer;
    id *_objects;
    size_t _count, _capacity;
}
- (void)drain;
@end

#endif
