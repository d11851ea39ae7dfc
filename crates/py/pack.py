"""Packs the module that `cargo build --workspace` made into a wheel, for the tests.

    python3 crates/py/pack.py --library target/debug/libmapjudge_core.so --version 0.1.0 --out wheels

A wheel for people is built by maturin, which compiles everything anew: the crates of the workspace are built with other
features there. This one holds the same files.
"""

import argparse
import base64
import hashlib
import pathlib
import re
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent


def list_of(text: str, key: str) -> list[str]:
    """The strings of a list of pyproject.toml; no TOML reader is part of Python 3.10."""
    return re.findall(r'"([^"]+)"', re.search(rf"^{key} = \[(.*?)\]$", text, re.M | re.S).group(1))


def metadata(version: str) -> tuple[str, str]:
    text = (HERE / "pyproject.toml").read_text()
    lines = ["Metadata-Version: 2.1", "Name: mapjudge", f"Version: {version}", "Requires-Python: >=3.10"]
    lines += [f"Requires-Dist: {name}" for name in list_of(text, "dependencies")]
    extras = re.search(r"\[project.optional-dependencies\]\n(.*?)\n\n", text, re.S).group(1)
    for extra, names in re.findall(r"^(\w+) = \[(.*)\]$", extras, re.M):
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {name}; extra == "{extra}"' for name in re.findall(r'"([^"]+)"', names)]
    scripts = re.search(r"\[project.scripts\]\n(.*?)\n\n", text, re.S).group(1).replace('"', "")
    return "\n".join(lines) + "\n", f"[console_scripts]\n{scripts}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    # As Python writes it: 0.2.0-rc.1 is 0.2.0rc1.
    options.version = re.sub(r"-(a|b|rc)[a-z]*\.?", r"\1", options.version)
    tag = "cp310-abi3-" + re.sub(r"[-.]", "_", sysconfig.get_platform())
    info = f"mapjudge-{options.version}.dist-info"
    about, scripts = metadata(options.version)
    python = HERE / "python"
    files = {
        str(path.relative_to(python)): path.read_bytes()
        for path in sorted(python.rglob("*"))
        if path.is_file() and path.suffix in (".py", ".pyi", ".typed") or path.name == "py.typed"
    }
    files["mapjudge/_core.abi3.so"] = options.library.read_bytes()
    files[f"{info}/METADATA"] = about.encode()
    files[f"{info}/entry_points.txt"] = scripts.encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: pack.py\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    options.out.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(options.out / f"mapjudge-{options.version}-{tag}.whl", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as wheel:
        for name, content in files.items():
            wheel.writestr(name, content)


if __name__ == "__main__":
    main()
