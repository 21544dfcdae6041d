"""How much of what could be compared is not: counted by relation and engine, and held against
limits.txt, whose numbers only go down."""
import collections
import pathlib

LIMITS = pathlib.Path(__file__).with_name('limits.txt')
# On the CPU: what else there is to compare with depends on the machine.
RELATIONS = ('fidelity', 'contrast')
HEADING = '# relation engine verdicts that are not judged; python3 tools/coverage --accept lowers them\n'


def engine(column):
    """Without its version: torch/cpu for torch@2.15.0/cpu."""
    name, _, device = column.partition('/')
    return name.partition('@')[0] + '/' + device


def not_judged(result):
    """{(relation, engine): [(case, row, why)]}, with an empty list where everything is judged."""
    found = collections.defaultdict(list)
    for case in result['cases']:
        for verdict in case['verdicts']:
            name = engine(verdict['left'] or '/')
            if verdict['relation'] in RELATIONS and name.endswith('/cpu'):
                entry = found[verdict['relation'], name]
                if verdict['state'] == 'not judged':
                    entry.append((case['id'], verdict['row'] or 'program', verdict['why']))
    return dict(found)


def limits():
    lines = LIMITS.read_text(encoding='utf-8').splitlines() if LIMITS.exists() else []
    return {tuple(line.split()[:2]): int(line.split()[2]) for line in lines if line and line[0] != '#'}


def complaints(result):
    """[(key, text, entries)] for what is above its limit; a number that nobody limited counts as 0."""
    allowed = limits()
    return [(key, '%d are not judged, %d may be' % (len(entries), allowed.get(key, 0)), entries)
            for key, entries in sorted(not_judged(result).items()) if len(entries) > allowed.get(key, 0)]


def accept(result, raised=()):
    """Lowers the limits to what was found; raises those that are named."""
    allowed = limits()
    for key, entries in not_judged(result).items():
        if key not in allowed or len(entries) < allowed[key] or ' '.join(key) in raised:
            allowed[key] = len(entries)
    lines = ['%s %s %d\n' % (*key, count) for key, count in sorted(allowed.items())]
    LIMITS.write_text(HEADING + ''.join(lines), encoding='utf-8')
