"""Runs of scenarios by the program fleetwave."""

import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional

from .program import ScenarioError, program
from .results import PathLike, read_result

# Exit codes of fleetwave run whose result is there.
_HOLDS, _FAILS = 0, 1


class Run:
    """What a run came to."""

    def __init__(self, folder: Path, words: List[str]) -> None:
        self.folder = folder
        self.result: Dict[str, Any] = read_result(folder)
        self._words = words

    @property
    def digest(self) -> str:
        return self.result["digest"]

    @property
    def seed(self) -> str:
        return self.result["seed"]

    @property
    def expectations(self) -> List[Dict[str, Any]]:
        """Each with its sentence, what was measured (None: nothing was), and whether it holds."""
        return self.result["expectations"]

    @property
    def command(self) -> str:
        """The line that repeats it."""
        return shlex.join(["fleetwave", *self._words, f"--seed={self.seed}"])

    def holds(self, sentence: Optional[str] = None) -> bool:
        """Whether an expectation holds; without a sentence whether all of them do."""
        if sentence is not None:
            return bool(self._expectation(sentence)["holds"])
        return all(one["holds"] for one in self.expectations)

    def actual(self, sentence: str) -> Optional[float]:
        """What an expectation was judged on."""
        return self._expectation(sentence)["actual"]

    def _expectation(self, sentence: str) -> Dict[str, Any]:
        for one in self.expectations:
            if one["expectation"] == sentence:
                return one
        allowed = ", ".join(one["expectation"] for one in self.expectations)
        raise KeyError(f"{sentence!r} is not an expectation of this run; allowed: {allowed}")


def run(
    scenario: PathLike,
    seed: Optional[str] = None,
    set: Optional[Mapping[str, Any]] = None,
    variant: Optional[str] = None,
    out: Optional[PathLike] = None,
    trace: bool = False,
) -> Run:
    """Runs a scenario; its files stay in `out`, or in a folder of their own.

    Raises ScenarioError where fleetwave refuses the scenario or an option.
    """
    folder = Path(out) if out is not None else Path(tempfile.mkdtemp(prefix="fleetwave-"))
    words = ["run", str(scenario)]
    words += [f"--set={path}={_yaml(value)}" for path, value in (set or {}).items()]
    words += [] if variant is None else [f"--variant={variant}"]
    own = [] if seed is None else [f"--seed={seed}"]
    files = ["--out", str(folder), "--quiet", *(["--trace"] if trace else [])]
    ended = subprocess.run(
        [*program(), *words, *own, *files], capture_output=True, text=True, encoding="utf-8"
    )
    if ended.returncode not in (_HOLDS, _FAILS):
        raise ScenarioError(ended.stderr.strip().splitlines() or [f"exit {ended.returncode}"])
    return Run(folder, words)


def _yaml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)
