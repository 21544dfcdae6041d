"""What the documentation says is complete."""
import re

METAL = 'backends/metal/soft/Metal/Metal.h'
COMMENT = re.compile(r'/\*.*?\*/', re.S)
METHOD = re.compile(r'^[-+] \([^;]*;', re.M)
TYPES = re.compile(r'\((?:[^()]|\([^()]*\))*\)')
PROPERTY = re.compile(r'^@property\([^)]*\)[^;]*?(\w+);', re.M)
FUNCTION = re.compile(r'^(?:extern|static inline) [^;{]*?(\w+)\(', re.M)


def selector(declaration):
    """`- (void)fillBuffer:(…)buffer range:(…)range` to `fillBuffer:range:`."""
    bare = TYPES.sub(' ', declaration)
    return ''.join(re.findall(r'\w+:', bare)) or re.search(r'\w+', bare).group()


def every_Metal_call_is_documented(root, paths):
    """what the stand-in declares, and so all that the backend can call, is in docs/metal.md."""
    header = COMMENT.sub('', (root / METAL).read_text(encoding='utf-8'))
    document = (root / 'docs/metal.md').read_text(encoding='utf-8')
    table = document.partition('\n## Every Metal call\n')[2].partition('\n## ')[0]
    code = ' '.join(re.findall(r'`([^`]+)`', table))
    called = [selector(method) for method in METHOD.findall(header)]
    called += PROPERTY.findall(header) + FUNCTION.findall(header)
    if len(called) < 20:
        yield '%s: only %d declarations were found; the rule reads it wrongly' % (METAL, len(called))
    for name in called:
        if not re.search(r'(?<![\w:])%s(?![\w:])' % re.escape(name), code):
            yield '%s: %s is not in docs/metal.md' % (METAL, name)


RULES = [every_Metal_call_is_documented]
