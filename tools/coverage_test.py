"""The ratchet over what is not judged."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / 'coverage'))
import ratchet  # noqa: E402


def verdict(relation, left, state, row=None):
    return {'relation': relation, 'left': left, 'state': state, 'row': row, 'why': 'x'}


def result(*verdicts):
    return {'cases': [{'id': 'a/b', 'verdicts': list(verdicts)}]}


class RatchetTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.was = ratchet.LIMITS
        ratchet.LIMITS = pathlib.Path(self.folder.name) / 'limits.txt'
        self.addCleanup(setattr, ratchet, 'LIMITS', self.was)

    def test_numbers_only_go_down(self):
        one = verdict('fidelity', 'core/cpu', 'not judged', 'r')
        other = verdict('fidelity', 'core/cpu', 'agree')
        self.assertEqual(len(ratchet.complaints(result(one, other))), 1)  # nobody limited it
        ratchet.accept(result(one, one))
        self.assertEqual(ratchet.limits(), {('fidelity', 'core/cpu'): 2})
        ratchet.accept(result(one))
        ratchet.accept(result(one, one, one))
        self.assertEqual(ratchet.limits(), {('fidelity', 'core/cpu'): 1})
        (key, text, entries), = ratchet.complaints(result(one, one))
        self.assertEqual((key, text, entries[0]), (('fidelity', 'core/cpu'), '2 are not judged, 1 may be',
                                                   ('a/b', 'r', 'x')))
        ratchet.accept(result(one, one), ['fidelity core/cpu'])
        self.assertEqual(ratchet.complaints(result(one, one)), [])

    def test_what_is_counted(self):
        self.assertEqual(ratchet.not_judged(result(
            verdict('contrast', 'candle@0.11.0/cpu', 'agree'), verdict('device', 'core/cpu', 'not judged'),
            verdict('fidelity', 'core/metal-soft', 'not judged'), verdict('record', None, 'not judged'))),
            {('contrast', 'candle/cpu'): []})

    def test_a_column_that_is_missing_keeps_its_limit(self):
        ratchet.accept(result(verdict('fidelity', 'libtorch@2.15.0/cpu', 'not judged')))
        ratchet.accept(result(verdict('fidelity', 'core/cpu', 'agree')))
        self.assertEqual(ratchet.limits(), {('fidelity', 'core/cpu'): 0, ('fidelity', 'libtorch/cpu'): 1})


if __name__ == '__main__':
    unittest.main()
