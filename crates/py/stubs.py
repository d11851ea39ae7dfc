"""The types of the module: writes the names of metrics, families and words of flags, and what the keywords of functions are,
and holds the stub of the compiled part, `_core.pyi`, against it.

    python stubs.py           writes
    python stubs.py --check   fails if a file is not what would be written
"""

from __future__ import annotations

import ast
import inspect
import json
import pathlib
import re
import sys
import textwrap
from typing import Any

PACKAGE = pathlib.Path(__file__).parent / "python" / "mapjudge"

def literal(name: str, words: list[str], doc: str) -> str:
    lines = "".join(f'    "{word}",\n' for word in words)
    return f'{name} = Literal[\n{lines}]\n"""{doc}"""\n'


def names() -> str:
    """The words that metrics, families and flags have."""
    from mapjudge import _core

    cards = json.loads(_core.run(["mapjudge", "metrics", "--format", "json"], 1)[0])
    ids = sorted(card["id"] for card in cards)
    families = sorted({card["family"] for card in cards})
    score = next(c for c in json.loads(_core.commands()) if c["path"] == ["score"])
    words = {argument["name"]: argument["words"] for argument in score["arguments"]}
    parts = [
        '"""Names of metrics and words of options. Made by stubs.py."""\n\nfrom typing import Literal, Union\n',
        literal("MetricId", ids, "Ids of metrics."),
        literal("Family", families, "Families of metrics."),
        'MetricName = Union[MetricId, Family]\n"""What `metrics=` takes."""\n',
    ]
    parts += [
        literal(name.capitalize(), words[name], f"What `{name}=` takes.")
        for name in ("window", "resample")
        if words.get(name)
    ]
    return "\n".join(parts)


FUNCTIONS = {
    "ape": "traj", "rpe": "traj", "map_log": "map", "arena.random": "arena random", "arena.build": "arena build",
    "relations.make": "relations make", "relations.check": "relations check", "relations.filter": "relations filter",
} | {name: name for name in (
    "align compare consensus contest convert explore fiducials graph info lint paths points portals rooms simulate traj").split()}
"""The command of each function whose keywords are flags."""


def keyword_lines(described: list[tuple[str, str]]) -> str:
    """A line for each keyword: its name, and the first sentence of its description."""
    lines = []
    for name, help in described:
        first, *_ = re.split(r"\n\n|\.\s+(?=[A-Z`])", help.strip())
        default = re.search(r"\[default: ([^]]+)\]", help)
        sentence = re.sub(r"\s*\[default[^]]*\]", "", " ".join(first.split())).rstrip(".")
        sentence += f" ({default.group(1)})" if default else ""
        sentence = sentence.replace("--", "").replace('"', "'").replace("\\", "")
        lines += textwrap.wrap(f"{name}: {sentence}", 110, initial_indent="    * ", subsequent_indent="      ")
    return "\n".join(lines)


def keywords() -> str:
    """What the keywords of functions mean, out of the flags of commands and the keys of job files."""
    import mapjudge as mj
    from mapjudge import _core, _words

    text = {}
    for name, command in FUNCTIONS.items():
        function: Any = mj
        for part in name.split("."):
            function = getattr(function, part)
        own = set(inspect.signature(function).parameters)
        flags = _words.commands()[tuple(command.split())].items()
        told = [
            (_words.keyword_of(flag), argument["help"])
            for flag, argument in flags
            if not argument["positional"] and flag not in _words._HIDDEN and _words.keyword_of(flag) not in own
        ]
        told.append(("threads", "So many threads for this call alone; 0 is one per core"))
        text[name] = f"    Keywords, the flags of `mapjudge {command}`:\n\n{keyword_lines(told)}"
    own = {name for name in inspect.signature(mj.score).parameters}
    told = [(name, help) for name, help in _core.job_help() if name not in own and name not in ("maps", "truth")]
    text["score"] = f"    Further keywords, the keys of a job file:\n\n{keyword_lines(told)}"
    entries = "".join(f'    "{name}": """\\\n{text[name]}""",\n' for name in sorted(text))
    return f'"""What the keywords of functions mean. Made by stubs.py."""\n\nKEYWORDS = {{\n{entries}}}\n'


def of_stub() -> dict[str, list[str] | None]:
    """Functions, classes and members of the stub with the names of their parameters; None for what is no function."""
    found: dict[str, list[str] | None] = {}
    for node in ast.parse((PACKAGE / "_core.pyi").read_text()).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = [one.arg for one in node.args.args]
        if not isinstance(node, ast.ClassDef):
            continue
        found[node.name] = None
        for member in node.body:
            if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                words = [decorator.id for decorator in member.decorator_list if isinstance(decorator, ast.Name)]
                parameters = [one.arg for one in member.args.args if one.arg != "self"]
                found[f"{node.name}.{member.name}"] = None if "property" in words else parameters
    return found


def of_module() -> dict[str, list[str] | None]:
    """The same of the compiled module."""
    from mapjudge import _core

    def parameters(value: Any) -> list[str] | None:
        if not callable(value) or isinstance(value, type):
            return None
        return [name for name in inspect.signature(value).parameters if name != "self"]

    found: dict[str, list[str] | None] = {}
    for name in (name for name in dir(_core) if not name.startswith("_")):
        value = getattr(_core, name)
        found[name] = parameters(value)
        if isinstance(value, type):
            members = (member for member in dir(value) if not member.startswith("_"))
            found |= {f"{name}.{member}": parameters(getattr(value, member)) for member in members}
    return found


def main() -> int:
    stub, module = of_stub(), of_module()
    differ = sorted(name for name in stub | module if stub.get(name, "") != module.get(name, ""))
    if differ:
        for name in differ:
            print(f"_core.pyi: {name}: {stub.get(name, 'not there')}; the module: {module.get(name, 'not there')}", file=sys.stderr)
        return 1
    stale = 0
    for name, text in (("_names.py", names()), ("_keywords.py", keywords())):
        file = PACKAGE / name
        if "--check" not in sys.argv:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            print(f"not current: {name}; run python crates/py/stubs.py", file=sys.stderr)
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
