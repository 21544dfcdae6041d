#!/usr/bin/env python3
"""Compiles candle and the prelude: build.py DIR [cargo options, such as --offline]

Leaves DIR/crates.json, which says how to compile a program against them. Paths in it are relative to
it, so that DIR may be moved. cargo reports its progress on stderr; what is up to date is not done
again.
"""

import hashlib
import json
import os
import platform
import re
import subprocess
import sys

CRATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "crates")
# What a program may name; the rest is found through the directory of dependencies.
EXTERN = ("candle_core", "candle_nn", "float8", "half", "parity")


def output(*command):
    return subprocess.run(command, cwd=CRATES, check=True, stdout=subprocess.PIPE, text=True).stdout


def sources():
    for folder, folders, files in os.walk(CRATES):
        folders[:] = sorted(name for name in folders if name != "target")
        for name in sorted(files):
            if name.endswith(".rs") or name.startswith("Cargo."):
                yield os.path.join(folder, name)


def stamp(rustc):
    """Names what the crates are made from; compiled programs are kept under it."""
    digest = hashlib.sha256(rustc.encode())
    for path in sources():
        digest.update(os.path.relpath(path, CRATES).encode() + b"\0")
        with open(path, "rb") as file:
            digest.update(file.read() + b"\0")
    return digest.hexdigest()[:32]


def machine():
    """What a record from here says it was made on: "macOS 27.0, Apple M2 Max"."""
    if platform.system() != "Darwin":
        return f"{platform.system().lower()} {platform.machine()}"
    chip = output("sysctl", "-n", "machdep.cpu.brand_string").strip()
    return f"macOS {platform.mac_ver()[0]}, {chip}"


def build(target, options):
    """Runs cargo; gives the rlib of every crate in EXTERN, the version of candle and its features."""
    command = ["cargo", "build", "--release", "--locked", "--target-dir", target]
    command += ["--message-format=json-render-diagnostics", *options]
    libraries, version, features = {}, None, []
    with subprocess.Popen(command, cwd=CRATES, stdout=subprocess.PIPE, text=True) as cargo:
        for line in cargo.stdout:
            message = json.loads(line)
            name = message.get("target", {}).get("name", "").replace("-", "_")
            if message["reason"] != "compiler-artifact" or name not in EXTERN:
                continue
            for path in message["filenames"]:
                if path.endswith(".rlib"):
                    libraries[name] = os.path.relpath(path, target)
            if name == "candle_core":
                version = re.search(r"[@#](\d[^@#]*)$", message["package_id"])[1]
                features = message["features"]
    if cargo.returncode:
        sys.exit(cargo.returncode)
    missing = [name for name in EXTERN if name not in libraries]
    if missing:
        sys.exit(f"build.py: cargo built no library for {', '.join(missing)}")
    return libraries, version, features


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    target = os.path.abspath(sys.argv[1])
    os.makedirs(target, exist_ok=True)
    verbose = output("rustc", "-vV")
    facts = dict(line.split(": ", 1) for line in verbose.splitlines() if ": " in line)
    libraries, version, features = build(target, sys.argv[2:])
    crates = {
        "format": 1,
        "stamp": stamp(verbose),
        "candle": version,
        "features": ",".join(features),
        "profile": "release",
        "rustc": os.path.join(output("rustc", "--print", "sysroot").strip(), "bin", "rustc"),
        "rustc_version": verbose.splitlines()[0].removeprefix("rustc "),
        "host": facts["host"],
        "machine": machine(),
        "dependencies": os.path.join("release", "deps"),
        "extern": libraries,
    }
    new = os.path.join(target, f"crates.json.{os.getpid()}")
    with open(new, "w") as file:
        json.dump(crates, file, indent=2, sort_keys=True)
        file.write("\n")
    os.replace(new, os.path.join(target, "crates.json"))


if __name__ == "__main__":
    main()
