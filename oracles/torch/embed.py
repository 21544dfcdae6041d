"""Writes a text file as a C string: embed.py NAME INPUT OUTPUT."""

import sys

name, source, target = sys.argv[1:]
with open(source, "rb") as file:
    data = file.read()
rows = [", ".join(str(byte) for byte in data[i:i + 20]) for i in range(0, len(data), 20)]
with open(target, "w") as file:
    file.write("static const char %s[] = {\n    %s, 0};\n" % (name, ",\n    ".join(rows)))
