"""Where the program fleetwave is."""

import os
import shutil
from pathlib import Path
from typing import List


class ProgramMissing(Exception):
    """There is no program fleetwave."""


class ScenarioError(Exception):
    """The program refused a scenario or its options; its lines say why."""

    def __init__(self, lines: List[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def program() -> List[str]:
    """The words that start it: FLEETWAVE_PROGRAM, node_modules here or above, or the path."""
    given = os.environ.get("FLEETWAVE_PROGRAM")
    found = given or _of_project() or shutil.which("fleetwave")
    if not found:
        raise ProgramMissing(
            "there is no program fleetwave: npm install fleetwave, or set FLEETWAVE_PROGRAM"
        )
    if found.endswith(".js"):
        return [shutil.which("node") or "node", found]
    return [found]


def _of_project() -> str:
    here = Path.cwd()
    for folder in [here, *here.parents]:
        path = folder / "node_modules" / ".bin" / "fleetwave"
        if os.access(path, os.X_OK):
            return str(path)
    return ""
