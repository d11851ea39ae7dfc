"""The types of the module: writes the names of metrics, families and methods, the keywords of functions with their types and
what they mean, and holds the stub of the compiled part, `_core.pyi`, against it.

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
    words = {name: words for name, _, words, _ in _core.job_help()}
    (mappers,) = (a["words"] for c in json.loads(_core.commands()) if c["path"] == ["map"] for a in c["arguments"] if a["name"] == "mapper")
    parts = [
        '"""Names of metrics and words of options. Made by stubs.py."""\n\nfrom typing import Literal, Union\n',
        literal("MetricId", ids, "Ids of metrics."),
        literal("Family", families, "Families of metrics."),
        'MetricName = Union[MetricId, Family]\n"""What `metrics=` takes."""\n',
    ]
    kinds = {"align": "AlignBy", "window": "Window", "resample": "Resample"}
    parts += [literal(kind, words[name], f"What `{name}=` takes.") for name, kind in kinds.items()]
    parts.append(literal("MapperName", mappers, "Names of mappers."))
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


def of_flags(name: str) -> list[tuple[str, str, str]]:
    """The keywords of a function whose keywords are flags: name, what it means, type."""
    import mapjudge as mj
    from mapjudge import _words

    function: Any = mj
    for part in name.split("."):
        function = getattr(function, part)
    own = set(inspect.signature(function).parameters)
    found = []
    for flag, argument in _words.commands()[tuple(FUNCTIONS[name].split())].items():
        keyword = _words.keyword_of(flag)
        if argument["positional"] or flag in _words._HIDDEN or keyword in own:
            continue
        found.append((keyword, argument["help"], flag_type(keyword, argument)))
    return [*found, ("threads", "So many threads for this call alone; 0 is one per core", "int")]


FLOATS = ("DEGREES", "FACTOR", "M", "METRES", "NUMBER", "P", "RATIO", "S", "SECONDS", "SHARE")
"""What help pages call values that are numbers; N and LEVELS are whole ones."""


def flag_type(keyword: str, argument: dict[str, Any]) -> str:
    """The type of a flag, by the words it takes or by what its help page calls its value."""
    value = argument["value"] or ""
    if argument["switch"]:
        return "bool"
    if keyword in ("metrics", "set"):
        return {"metrics": "MetricName, Sequence[MetricName], str", "set": "dict[str, Any]"}[keyword]
    if argument["many"]:
        return "Any"
    words = argument["words"] or (value.split("|") if re.fullmatch(r"[a-z-]+(\|[a-z-]+)+", value) else [])
    if words:
        return words_type(words)
    return "int" if value in ("LEVELS", "N") else "float" if value in FLOATS else "Any"


def of_job() -> list[tuple[str, str, str]]:
    """The keywords of `score` beside those of its signature; some keys of tables are taken without the table's name."""
    import mapjudge as mj
    from mapjudge import _core, _score

    own = {*inspect.signature(mj.score).parameters, "maps", "truth"}
    kinds = {"boolean": "bool", "number": "float", "integer": "int"}
    found = []
    for name, help, words, kind in _core.job_help():
        table, _, key = name.partition(".")
        name = key if key in _score._TABLES.get(table, ()) else name
        if "." not in name and name not in own and name not in (known for known, *_ in found):
            found.append((name, help, words_type(words) if words else kinds.get(kind, "Any")))
    return found


def words_type(words: list[str]) -> str:
    return f"Literal[{', '.join(json.dumps(word) for word in words)}]"


def typed() -> str:
    """The types of keywords, for checkers of types and editors."""
    described = {name: of_flags(name) for name in FUNCTIONS} | {"score": of_job()}
    parts = ['"""Types of the keywords of functions. Made by stubs.py."""\n\nfrom collections.abc import Sequence\n'
             'from typing import Any, Literal, TypedDict, Union\n\nfrom ._names import MetricName\n']
    for name, keywords in sorted(described.items()):
        title = "".join(part.capitalize() for part in re.split(r"[._]", name))
        lines = [f'class {title}Keywords(TypedDict, total=False):\n    """What `{name}` takes beside what its signature names."""\n']
        lines += [f"    {keyword}: {kind if kind == 'Any' else f'Union[{kind}, None]'}" for keyword, _, kind in keywords]
        parts.append("\n".join(lines) + "\n")
    return "\n\n".join(parts)


def keywords() -> str:
    """What the keywords of functions mean, out of the flags of commands and the keys of job files."""
    from mapjudge import _core

    text = {}
    for name, command in FUNCTIONS.items():
        told = [(keyword, help) for keyword, help, _ in of_flags(name)]
        text[name] = f"    Keywords, the flags of `mapjudge {command}`:\n\n{keyword_lines(told)}"
    own = {name for name, _, _ in of_job()} | {name for name, *_ in _core.job_help() if "." in name}
    told = [(name, help) for name, help, *_ in _core.job_help() if name in own]
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
    for name, text in (("_names.py", names()), ("_typed.py", typed()), ("_keywords.py", keywords())):
        file = PACKAGE / name
        if "--check" not in sys.argv:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            print(f"not current: {name}; run python crates/py/stubs.py", file=sys.stderr)
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
