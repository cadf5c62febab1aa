"""Makes fusescope-*.whl without a network: `npm run wheel`, and the build backend of pip (PEP 517).

The wheel holds the package, the recorder (public/capture/fusescope_capture.py) and the built page (dist). The same files give
the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import pathlib
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
LARGEST = 25 << 20
# Compressed copies would double the size, and the server of the package sends the files as they are.
# Python leaves .pyc files beside the recorder where somebody ran it.
SKIPPED = (".fusescope-build", ".br", ".gz", ".pyc")


def _project() -> dict:
    try:
        import tomllib
    except ImportError:  # before Python 3.11
        from pip._vendor import tomli as tomllib
    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    project["version"] = json.loads((ROOT / "package.json").read_text("utf-8"))["version"]
    return project


def _metadata(project: dict) -> dict[str, bytes]:
    info = f"{project['name']}-{project['version']}.dist-info"
    head = {
        "Metadata-Version": "2.4",
        "Name": project["name"],
        "Version": project["version"],
        "Summary": project["description"],
        "Requires-Python": project["requires-python"],
        "License-Expression": project["license"],
        "License-File": "LICENSE",
    }
    groups = {"console_scripts": project["scripts"], **project["entry-points"]}
    points = (f"[{name}]\n" + "".join(f"{k} = {v}\n" for k, v in group.items()) for name, group in groups.items())
    return {
        f"{info}/METADATA": "".join(f"{k}: {v}\n" for k, v in head.items()).encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: fusescope\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "\n".join(points).encode(),
        f"{info}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
    }


def built_page() -> dict[str, bytes]:
    """The files of the built page by their path in it."""
    page = pathlib.Path(os.environ.get("FUSESCOPE_PAGE") or ROOT / "dist")
    if not (page / "index.html").is_file():
        raise SystemExit(f"{page} holds no built page: run `npm run build` first.")
    paths = sorted(p for p in page.rglob("*") if p.is_file() and not p.name.endswith(SKIPPED))
    return {p.relative_to(page).as_posix(): p.read_bytes() for p in paths}


def write_archive(target: pathlib.Path, files: dict[str, bytes]) -> None:
    """Writes a zip file: the same files give the same bytes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    if target.stat().st_size > LARGEST:
        raise SystemExit(f"{target.name} has {target.stat().st_size / 2**20:.1f} MiB; expected at most {LARGEST >> 20}.")


def _contents() -> dict[str, bytes]:
    files = {"fusescope_capture.py": (ROOT / "public/capture/fusescope_capture.py").read_bytes()}
    package = [p for p in (HERE / "fusescope").iterdir() if p.suffix == ".py" or p.name == "py.typed"]
    files.update({f"fusescope/{p.name}": p.read_bytes() for p in package})
    files.update({f"fusescope/page/{path}": data for path, data in built_page().items()})
    return files


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    """Writes the wheel and returns its name."""
    project = _project()
    files = {**dict(sorted(_contents().items())), **_metadata(project)}
    record = f"{project['name']}-{project['version']}.dist-info/RECORD"
    rows = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        rows.append(f"{name},sha256={digest},{len(data)}\n")
    files[record] = "".join([*rows, f"{record},,\n"]).encode()
    name = f"{project['name']}-{project['version']}-py3-none-any.whl"
    write_archive(pathlib.Path(wheel_directory) / name, files)
    return name


if __name__ == "__main__":
    out = sys.argv[1] if len(sys.argv) > 1 else str(HERE / "dist")
    print(os.path.join(out, build_wheel(out)))
