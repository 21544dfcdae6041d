"""The rules of style that a program can check: `python3 tools/style [PATTERN]`. Prints TAP."""
import pathlib
import subprocess
import sys

import rules_build
import rules_docs
import rules_include
import rules_text

ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = [*rules_text.RULES, *rules_include.RULES, *rules_build.RULES, *rules_docs.RULES]


def files():
    """What git tracks or would track: build directories and editors' files are not ours."""
    listed = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
                            cwd=ROOT, check=True, capture_output=True).stdout
    paths = sorted(set(listed.decode().split('\0')) - {''})
    return [path for path in paths if (ROOT / path).is_file()]


def main():
    pattern = sys.argv[1] if len(sys.argv) > 1 else ''
    paths, failed = files(), False
    for rule in RULES:
        name = rule.__name__.replace('_', ' ')
        if pattern not in name:
            continue
        try:
            problems = list(rule(ROOT, paths))
        except rules_build.Skip as reason:
            print('ok %s # SKIP %s' % (name, reason))
            continue
        failed = failed or bool(problems)
        print('%s %s: %s' % ('not ok' if problems else 'ok', name, rule.__doc__.strip()))
        for problem in problems:
            print('# ' + problem)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
