"""Hold what package syntax reads of Python files against Python's own ast.

    python3 engine/legacy/python/syntax/testdata/oracle.py DIR...

run in the root of the repository. Every string, every text in an f-string, every
function, assertion and call of every .py file below the folders that this Python
can parse is compared. Exit code 1 where one differs.
"""

import ast
import collections
import json
import os
import subprocess
import sys
import warnings

warnings.simplefilter("ignore")


def files(roots):
    for root in roots:
        for folder, _, names in os.walk(root):
            for name in sorted(names):
                path = os.path.join(folder, name)
                if name.endswith(".py") and os.path.isfile(path) and "\n" not in path:
                    yield path


def expected(tree):
    """What literals prints, from the ast."""
    out = {"defs": [], "strings": [], "inner": [], "asserts": [], "calls": 0}

    def visit(node, within, annotation=False):
        if isinstance(node, ast.JoinedStr):
            for part in node.values:
                if isinstance(part, ast.Constant):
                    out["inner"].append(part.value)
                else:
                    visit(part, True)
            return
        if isinstance(node, ast.FormattedValue):
            visit(node.value, True)
            if node.format_spec is not None:
                visit(node.format_spec, True)
            return
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if within:
                out["inner"].append(node.value)
            else:
                out["strings"].append((node.lineno, node.value))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            out["defs"].append(node.name)
        if isinstance(node, ast.Assert):
            out["asserts"].append(node.lineno)
        if isinstance(node, ast.Call):
            out["calls"] += 1
        for name, value in ast.iter_fields(node):
            # Annotations say nothing about a test; the reader passes over them.
            if name in ("annotation", "returns", "type_params") or name == "cause":
                continue
            if isinstance(node, (ast.Delete,)):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    visit(child, within)

    visit(tree, False)
    return out


def representable(text):
    return not any(0xD800 <= ord(c) < 0xE000 for c in text)


def main(roots):
    listed = []
    trees = {}
    skipped = 0
    for path in files(roots):
        try:
            with open(path, "rb") as handle:
                data = handle.read()
            data.decode("utf-8")
            trees[path] = expected(ast.parse(data))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            skipped += 1
            continue
        listed.append(path)
    binary = os.path.join(os.environ.get("TMPDIR", "/tmp"), "docket-literals")
    subprocess.run(["go", "build", "-o", binary, "./engine/legacy/python/syntax/testdata/literals"], check=True)
    ran = subprocess.run([binary], input="\n".join(listed).encode(), stdout=subprocess.PIPE, check=True)
    counts = collections.Counter(skipped=skipped)
    shown = 0
    for line in ran.stdout.split(b"\n"):
        if not line:
            continue
        got = json.loads(line)
        want = trees[got["file"]]
        counts["files"] += 1
        counts["bytes"] += os.path.getsize(got["file"])
        bad = []
        if got["problems"]:
            bad.append(("problems", got["problems"][:3]))
        texts = collections.Counter(map(tuple, got["strings"] or []))
        wanted = collections.Counter(want["strings"])
        unread = sum(n for (_, v), n in texts.items() if v is None)
        counts["strings"] += sum(wanted.values())
        counts["marked as not had"] += unread
        missing = wanted - texts
        extra = collections.Counter({k: n for k, n in (texts - wanted).items() if k[1] is not None})
        if extra or sum(missing.values()) != unread:
            bad.append(("strings", list(missing.items())[:2], list(extra.items())[:2]))
        inner = collections.Counter(got["inner"] or [])
        wanted = collections.Counter(want["inner"])
        counts["texts in f-strings"] += sum(wanted.values())
        counts["marked as not had"] += inner[None]
        missing = wanted - inner
        extra = collections.Counter({k: n for k, n in (inner - wanted).items() if k is not None})
        if extra or sum(missing.values()) != inner[None]:
            bad.append(("inner", list(missing.items())[:2], list(extra.items())[:2]))
        counts["functions"] += len(want["defs"])
        counts["assertions"] += len(want["asserts"])
        counts["calls"] += want["calls"]
        if sorted(d[0] for d in got["defs"] or []) != sorted(want["defs"]):
            bad.append(("defs",))
        if sorted(got["asserts"] or []) != sorted(want["asserts"]):
            bad.append(("asserts",))
        if got["calls"] != want["calls"]:
            bad.append(("calls", got["calls"], want["calls"]))
        if bad:
            counts["files that differ"] += 1
            if shown < 12:
                shown += 1
                print(got["file"], ascii(bad)[:600])
    for name, n in counts.items():
        print(f"{n:>10} {name}")
    return 1 if counts["files that differ"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
