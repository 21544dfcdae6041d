"""Puts the page together at build time: assemble.py OUTPUT PAGE STYLE SCRIPT…

Writes C with what stands before and after the data, as bytes.
"""
import pathlib
import sys


def array(name, text):
    # Whether char has a sign is the compiler's choice.
    data = [str(byte) if byte < 128 else "'\\x%x'" % byte for byte in text.encode()]
    rows = [', '.join(data[i:i + 16]) for i in range(0, len(data), 16)]
    return 'const char %s[] = {\n    %s, 0};\n' % (name, ',\n    '.join(rows))


def main():
    output, page, style, *scripts = map(pathlib.Path, sys.argv[1:])
    parts = {'style': style.read_text('utf-8').rstrip('\n'),
             'script': '\n'.join(script.read_text('utf-8') for script in scripts).rstrip('\n')}
    # What a parser of HTML would take for the end of the element.
    for name, end in (('style', '</style'), ('script', '</script')):
        if end in parts[name].lower():
            sys.exit('%s must not contain %s' % (name, end))
    before, after = page.read_text('utf-8').split('{{data}}')
    for name, text in parts.items():
        before, after = (each.replace('{{%s}}' % name, text) for each in (before, after))
    output.write_text('#include "reports/html/page.h"\n\n' + array('report_page_before', before) +
                      array('report_page_after', after), 'utf-8')


if __name__ == '__main__':
    main()
