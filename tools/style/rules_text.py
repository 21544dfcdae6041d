"""Rules about the text of single files. Each yields `path:line: what is wrong`."""
import ast
import re

CODE = ('.c', '.h', '.m', '.cc', '.py', '.rs', '.sh', 'parity', '.ci/run')
COLUMNS = {'.c': 90, '.h': 90, '.m': 90}  # clang-format's
COLUMNS_ELSEWHERE = 110
FILE_LINES = 500
TEST_LINES = 700
FUNCTION_LINES = 60
# Written so that this file does not contain them.
UNFINISHED = re.compile(r'\b(' + '|'.join(['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX']) + r')\b')
MACHINE = re.compile(r'(?<![\w.])/(root|work)/')


def read(root, path):
    return (root / path).read_text(encoding='utf-8', errors='replace')


def code(paths):
    return [path for path in paths if path.endswith(CODE)]


def whitespace(root, paths):
    """no tab, no space at the end of a line, no CR, one newline at the end of the file"""
    for path in paths:
        data = (root / path).read_bytes()
        # Expected output is what the libraries print.
        if b'\0' in data or not data or path.endswith(('.txt', '.out', '.lock')):
            continue
        if not data.endswith(b'\n') or data.endswith(b'\n\n'):
            yield '%s: must end with exactly one newline' % path
        for number, line in enumerate(data.split(b'\n'), 1):
            if line != line.rstrip() or b'\t' in line:
                yield '%s:%d: tab, carriage return or space at the end' % (path, number)


def line_length(root, paths):
    """90 columns in C, 110 elsewhere"""
    for path in code(paths):
        limit = COLUMNS.get(path[path.rfind('.'):], COLUMNS_ELSEWHERE)
        for number, line in enumerate(read(root, path).splitlines(), 1):
            if len(line) > limit:
                yield '%s:%d: %d columns' % (path, number, len(line))


def file_length(root, paths):
    """no source file of more than 500 lines, no test of more than 700"""
    for path in code(paths):
        lines = read(root, path).count('\n')
        if lines > (TEST_LINES if '_test.' in path else FILE_LINES):
            yield '%s: %d lines' % (path, lines)


def c_functions(text):
    """(first line, number of lines) of each body; clang-format puts its braces at the left edge."""
    start = None
    for number, line in enumerate(text.splitlines(), 1):
        if line == '{':
            start = number
        elif line == '}' and start:
            yield start, number - start - 1
            start = None


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno - node.lineno


FUNCTIONS = {'.c': c_functions, '.m': c_functions, '.py': python_functions}


def function_length(root, paths):
    """no function of more than 60 lines"""
    for path in paths:
        split = FUNCTIONS.get(path[path.rfind('.'):], lambda text: ())
        for line, length in split(read(root, path)):
            if length > FUNCTION_LINES:
                yield '%s:%d: a function of %d lines' % (path, line, length)


def finished(root, paths):
    """nothing is marked as unfinished"""
    for path in paths:
        for number, line in enumerate(read(root, path).splitlines(), 1):
            if UNFINISHED.search(line):
                yield '%s:%d: %s' % (path, number, line.strip())


def no_machine(root, paths):
    """no path of one person's machine"""
    for path in paths:
        if path.startswith('tools/style/'):
            continue
        for number, line in enumerate(read(root, path).splitlines(), 1):
            if MACHINE.search(line):
                yield '%s:%d: %s' % (path, number, line.strip())


def links(root, paths):
    """every relative link of a page leads to a file"""
    for path in paths:
        if not path.endswith('.md'):
            continue
        for number, line in enumerate(read(root, path).splitlines(), 1):
            for target in re.findall(r'\]\(([^)\s#]+)', line):
                if '://' not in target and not (root / path).parent.joinpath(target).exists():
                    yield '%s:%d: %s' % (path, number, target)


RULES = [whitespace, line_length, file_length, function_length, finished, no_machine, links]
