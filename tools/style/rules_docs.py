"""What the documentation says is complete."""
import re

METAL = 'backends/metal/soft/Metal/Metal.h'
STDLIB = 'backends/metal/soft/msl/metal_stdlib'
BACKEND = 'backends/metal/gpu.m'
DOCUMENT = 'docs/metal.md'
COMMENT = re.compile(r'/\*.*?\*/', re.S)
METHOD = re.compile(r'^[-+] \([^;]*;', re.M)
TYPES = re.compile(r'\((?:[^()]|\([^()]*\))*\)')
PROPERTY = re.compile(r'^@property\([^)]*\)[^;]*?(\w+);', re.M)
FUNCTION = re.compile(r'^(?:extern|static inline) [^;{]*?(\w+)\(', re.M)


def selector(declaration):
    """`- (void)fillBuffer:(…)buffer range:(…)range` to `fillBuffer:range:`."""
    bare = TYPES.sub(' ', declaration)
    return ''.join(re.findall(r'\w+:', bare)) or re.search(r'\w+', bare).group()


def without_comments(root, path):
    return COMMENT.sub('', (root / path).read_text(encoding='utf-8'))


def declared(root):
    """The selectors, properties and functions of the stand-in for Metal."""
    header = without_comments(root, METAL)
    names = [selector(method) for method in METHOD.findall(header)]
    return names + PROPERTY.findall(header) + FUNCTION.findall(header)


def calls_section(root):
    document = (root / DOCUMENT).read_text(encoding='utf-8')
    return document.partition('\n## Every Metal call\n')[2].partition('\n## ')[0]


def code_of(text):
    return re.findall(r'`([^`]+)`', text)


def documented(root):
    """The code in the first column of the table, without classes: `-[MTLDevice name]` is name."""
    rows = [line.split('|')[1] for line in calls_section(root).split('\n') if line.startswith('| `')]
    calls = [re.sub(r'^[-+]\[(?:\w+|…) |\]$', '', code) for row in rows for code in code_of(row)]
    return [re.sub(r'^MTLCompileOptions ', '', call) for call in calls]


def has_word(word, text):
    return re.search(r'(?<![\w:])%s(?![\w:])' % re.escape(word), text)


def every_Metal_call_is_documented(root, paths):
    """what the stand-in declares, and so all that the backend can call, is in docs/metal.md."""
    code = ' '.join(code_of(calls_section(root)))
    names = declared(root)
    if len(names) < 20:
        yield '%s: only %d declarations were found; the rule reads it wrongly' % (METAL, len(names))
    for name in names:
        if not has_word(name, code):
            yield '%s: %s is not in %s' % (METAL, name, DOCUMENT)


def every_documented_Metal_call_is_made(root, paths):
    """what docs/metal.md lists, and what the stand-in declares, is called by the backend."""
    backend = without_comments(root, BACKEND)
    calls = documented(root)
    if len(calls) < 20:
        yield '%s: only %d calls were found; the rule reads it wrongly' % (DOCUMENT, len(calls))
    for call, where in [(call, DOCUMENT) for call in calls] + [(name, METAL) for name in declared(root)]:
        if any(not re.search(r'\b%s\b' % word, backend) for word in re.findall(r'\w+', call)):
            yield '%s: `%s` is nowhere in %s' % (where, call, BACKEND)


def the_words_of_kernels_are_documented(root, paths):
    """the functions and attributes of kernels are those that docs/metal.md names, and kernels use them."""
    named = re.search(r'\nIn kernels: `([^`]*)`.*?\nattributes `([^`]*)`', calls_section(root), re.S)
    if not named:
        yield '%s: the functions and attributes of kernels are not found' % DOCUMENT
        return
    stdlib = without_comments(root, STDLIB)
    functions = set(re.findall(r'SOFT_FUNCTION\((\w+)\)\n', stdlib)) - {'tanh', 'name'} | {'precise::tanh'}
    functions |= set(re.findall(r'^inline \w+ (\w+)\(', stdlib, re.M))
    kernels = ''.join(without_comments(root, path) for path in paths
                      if path.startswith('backends/metal/kernels/') and path.endswith('.metal'))
    attributes = set(re.findall(r'\[\[(\w+)', kernels))
    both = (named[1], functions, STDLIB), (named[2], attributes, 'backends/metal/kernels')
    for words, made, where in both:
        for word in sorted(made ^ set(words.split())):
            yield '%s: `%s` is there or in %s, not in both' % (where, word, DOCUMENT)
    for word in sorted(functions):
        if word not in kernels:  # macros of the kernels put their names together
            yield '%s: no kernel uses %s' % (STDLIB, word)


RULES = [every_Metal_call_is_documented, every_documented_Metal_call_is_made,
         the_words_of_kernels_are_documented]
