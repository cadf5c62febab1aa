"""Makes fusescope-VERSION.zip, the built page for any folder of a static host: `npm run zip`. Needs no network."""

from __future__ import annotations

import json
import pathlib
import sys

from build_wheel import HERE, ROOT, built_page, write_archive

if __name__ == "__main__":
    version = json.loads((ROOT / "package.json").read_text("utf-8"))["version"]
    target = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE / "dist") / f"fusescope-{version}.zip"
    write_archive(target, {f"fusescope/{path}": data for path, data in built_page().items()})
    print(target)
