"""Readers of what Fleetwave writes: result.json, CSV tables and traces."""

import csv
import json
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Union

PathLike = Union[str, Path]
Rows = List[Dict[str, Any]]

ENGINES = ("pandas", "polars", "rows")

# Columns whose cells stay texts, whatever they look like.
_TEXTS = frozenset(
    ["name", "devEui", "population", "campaign", "subscriber", "seed", "digest", "error"]
    + ["version", "versionBefore", "command"]
)


def read_result(path: PathLike) -> Dict[str, Any]:
    """result.json of a run: all figures, expectations and the manifest."""
    return _read_json(_file(path, "result.json"))


def read_study(path: PathLike) -> Dict[str, Any]:
    """study.json of many seeds, or of a study over many points."""
    return _read_json(_file(path, "study.json"))


def read_devices(path: PathLike, engine: Optional[str] = None) -> Any:
    """devices.csv of a run: a row for each device and campaign."""
    return _read_csv(_file(path, "devices.csv"), engine)


def read_seeds(path: PathLike, engine: Optional[str] = None) -> Any:
    """seeds.csv of a run with many seeds: a row for each seed."""
    return _read_csv(_file(path, "seeds.csv"), engine)


def read_runs(path: PathLike, engine: Optional[str] = None) -> Any:
    """runs.csv of a study: a row for each run."""
    return _read_csv(_file(path, "runs.csv"), engine)


def read_points(path: PathLike, engine: Optional[str] = None) -> Any:
    """points.csv of a study: a row for each point."""
    return _read_csv(_file(path, "points.csv"), engine)


def read_trace(
    path: PathLike, kind: Optional[str] = None, engine: Optional[str] = None
) -> Any:
    """trace.ndjson of a run: a row for each event, or for those of one kind."""
    file = _file(path, "trace.ndjson")
    rows: Rows = []
    with open(file, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise ValueError(f"{file}:{number}  is not JSON: {error.msg}") from error
            if kind is None or row.get("kind") == kind:
                rows.append(row)
    return _frame(rows, engine)


def _file(path: PathLike, name: str) -> Path:
    """The file itself, or the one of this name in a folder of results."""
    given = Path(path)
    file = given / name if given.is_dir() else given
    if not file.is_file():
        raise FileNotFoundError(f"{file}: there is no such file; a run or a study writes it")
    return file


def _read_json(file: Path) -> Dict[str, Any]:
    with open(file, encoding="utf-8") as text:
        return json.load(text)


def _read_csv(file: Path, engine: Optional[str]) -> Any:
    with open(file, encoding="utf-8", newline="") as text:
        reader = csv.DictReader(text)
        rows = [{key: _value(key, cell) for key, cell in row.items()} for row in reader]
        return _frame(rows, engine, reader.fieldnames or [])


def _value(column: str, cell: str) -> Any:
    """A cell as its column means it; an empty one is missing."""
    if cell == "":
        return None
    if column in _TEXTS:
        return cell
    if cell in ("true", "false"):
        return cell == "true"
    for number in (int, float):
        try:
            return number(cell)
        except ValueError:
            pass
    return cell


def _frame(rows: Rows, engine: Optional[str], columns: Iterable[str] = ()) -> Any:
    """Rows in the form that was asked for; pandas where it is installed and none was."""
    if engine not in (None, *ENGINES):
        raise ValueError(f"engine {engine!r} is not right; allowed: {', '.join(ENGINES)}")
    if engine == "rows":
        return rows
    if engine == "polars":
        import polars

        if not rows:
            return polars.DataFrame(schema=list(columns))
        return polars.DataFrame(rows, infer_schema_length=None, strict=False)
    try:
        import pandas
    except ImportError as error:
        allowed = 'pip install pandas, or engine="polars" or engine="rows"'
        raise ImportError(f"pandas is not installed; allowed: {allowed}") from error
    return pandas.DataFrame(rows, columns=list(columns) or None)
