"""The types of the module: writes the names of metrics, families and words of flags, and holds the stub of the compiled
part, `_core.pyi`, against it.

    python stubs.py           writes
    python stubs.py --check   fails if the file is not what would be written
"""

from __future__ import annotations

import ast
import inspect
import json
import pathlib
import sys
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
    file, text = PACKAGE / "_names.py", names()
    if "--check" not in sys.argv:
        file.write_text(text)
    elif not file.exists() or file.read_text() != text:
        print("not current: _names.py; run python crates/py/stubs.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
