#!/usr/bin/env python3
"""Makes C++ for the host from kernels: translate.py NAME SOURCE PREPROCESSED OUTPUT

PREPROCESSED is the text of SOURCE after the C preprocessor, without <metal_stdlib>. Pointers of kernels
become checked ones, attributes are taken out, and for every kernel follows a function that runs a row of
its threads. Line markers stay, so that messages of the compiler name the lines of the kernels.

What is read: `kernel void name(...)` whose parameters all have an attribute, and pointers written
`device const T *`, `device T *`, `constant T *`, `threadgroup T *`.
"""
import re
import sys

POSITIONS = {
    'thread_position_in_grid': 'at.grid',
    'thread_position_in_threadgroup': 'at.local',
    'threadgroup_position_in_grid': 'at.group',
}
TYPE = r'(?:const\s+)?\w+(?:<\w+>)?'
POINTER = re.compile(r'\b(device|constant|threadgroup)\s+(%s)\s*\*' % TYPE)
REFERENCE = re.compile(r'\bconstant\s+(\w+)\s*&')
KERNEL = re.compile(r'\bkernel\s+void\s+(\w+)\s*\(')
PARAMETER = re.compile(r'^(?P<type>.+?)\s*\b(?P<name>\w+)\s*'
                       r'\[\[\s*(?P<attribute>\w+)\s*(?:\(\s*(?P<index>\d+)\s*\))?\s*\]\]$')


def fail(name, message):
    sys.exit('translate.py: kernel %s: %s' % (name, message))


def parameters(text, start):
    """The text between the parentheses that open before start."""
    depth, at = 1, start
    while depth:
        depth += {'(': 1, ')': -1}.get(text[at], 0)
        at += 1
    return text[start:at - 1]


def split(text):
    depth, part = 0, ''
    for char in text:
        depth += {'(': 1, '<': 1, '[': 1, ')': -1, '>': -1, ']': -1}.get(char, 0)
        if char == ',' and depth == 0:
            yield ' '.join(part.split())
            part = ''
        else:
            part += char
    yield ' '.join(part.split())


class Kernel:
    def __init__(self, name, text):
        self.name = name
        self.buffers = self.written = self.threadgroup = 0
        self.least, self.locals, self.arguments = {}, [], []
        for part in split(text):
            match = PARAMETER.match(part)
            if not match:
                fail(name, 'parameter `%s` has no attribute that is known' % part)
            self.add(**match.groupdict())

    def add(self, type, name, attribute, index):
        if attribute in ('buffer', 'threadgroup'):
            if index is None:
                fail(self.name, '[[%s]] of %s needs an index' % (attribute, name))
            self.add_memory(type, name, attribute, int(index))
        elif attribute in POSITIONS:
            if type != 'uint':
                fail(self.name, 'position %s is no uint' % name)
            self.arguments.append('%s[0]' % POSITIONS[attribute])
        else:
            fail(self.name, '[[%s]] is not supported' % attribute)

    def add_memory(self, type, name, attribute, index):
        mask = 1 << index
        group = attribute == 'threadgroup'
        if (self.threadgroup if group else self.buffers) & mask:
            fail(self.name, '[[%s(%d)]] is there twice' % (attribute, index))
        if group:
            self.threadgroup |= mask
        else:
            self.buffers |= mask
        reference, pointer = REFERENCE.fullmatch(type), POINTER.fullmatch(type)
        if reference and not group:
            self.least[index] = 'sizeof(%s)' % reference[1]
            self.locals.append('const %s %s = soft::bound<const %s>(arguments->buffer[%d])[0];'
                               % (reference[1], name, reference[1], index))
        elif pointer and group == (pointer[1] == 'threadgroup'):
            element = pointer[2] if pointer[1] != 'constant' else 'const ' + pointer[2]
            if not group and not element.startswith('const '):
                self.written |= mask
            self.locals.append('const auto %s = soft::bound<%s>(arguments->%s[%d]);'
                               % (name, element, attribute, index))
        else:
            fail(self.name, '`%s %s` cannot be [[%s]]' % (type, name, attribute))
        self.arguments.append(name)

    def function(self):
        return '\n'.join([
            'static void run_%s(const soft_arguments *arguments, const soft_position *first,' % self.name,
            '                   uint32_t threads)',
            '{', *['    ' + line for line in self.locals],
            '    soft_position at = *first;',
            '    for (uint32_t i = 0; i < threads; i++, at.grid[0]++, at.local[0]++)',
            '        %s(%s);' % (self.name, ', '.join(self.arguments)),
            '}'])

    def row(self):
        least = ', '.join(self.least.get(i, '0') for i in range(max(self.least, default=0) + 1))
        return '    {"%s", run_%s, 0x%x, 0x%x, 0x%x, %d, {%s}},' % (
            self.name, self.name, self.buffers, self.written, self.threadgroup, bool(self.threadgroup), least)


def checked(match):
    space, element = match.groups()
    if space == 'constant' and not element.startswith('const'):
        element = 'const ' + element
    return 'soft::pointer<%s>' % element


def literal(text):
    """Text as a C string, a line each."""
    lines = text.replace('\\', '\\\\').replace('"', '\\"').split('\n')
    return '\n'.join('    "%s\\n"' % line for line in lines[:-1])


def translate(name, source, text):
    kernels = [Kernel(m[1], parameters(text, m.end())) for m in KERNEL.finditer(text)]
    if not kernels:
        sys.exit('translate.py: %s has no kernels' % name)
    text = re.sub(r'\[\[\s*\w+\s*(\(\s*\d+\s*\))?\s*\]\]', '', text)
    text = POINTER.sub(checked, text)
    text = REFERENCE.sub(r'const \1 &', text)
    text = re.sub(r'\bkernel\s+void\b', 'static void', text)
    text = re.sub(r'\bconstant\b', 'const', text)
    return '\n'.join([
        '#include "backends/metal/soft/msl/metal_stdlib"', text,
        '# 1 "generated from %s"' % name, *[kernel.function() for kernel in kernels],
        'static const soft_kernel kernels[] = {', *[kernel.row() for kernel in kernels], '};',
        'static const char source[] =', literal(source) + ';',
        'extern "C" const soft_library soft_library_%s = {source, kernels, %d};' % (name, len(kernels)), ''])


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    name, source, preprocessed, output = sys.argv[1:]
    with open(source, encoding='utf-8') as file:
        source = file.read()
    with open(preprocessed, encoding='utf-8') as file:
        text = translate(name, source, file.read())
    with open(output, 'w', encoding='utf-8') as file:
        file.write(text)


if __name__ == '__main__':
    main()
