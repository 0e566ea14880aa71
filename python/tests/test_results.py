"""Readers of results: each file as dictionaries, as pandas frames and as polars frames."""

from pathlib import Path

import pytest

import fleetwave

DEVICES = """campaign,name,devEui,runsIt,dataRate,joules,cause
spring,Müller,70B3D57ED0000001,true,5,0.25,
spring,007,0000000000000007,false,0,,tooWeak
"""


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    (tmp_path / "devices.csv").write_text(DEVICES, encoding="utf-8")
    return tmp_path


def test_a_result_is_read_by_its_folder_and_by_its_file(town_run: fleetwave.Run) -> None:
    result = fleetwave.read_result(town_run.folder)
    assert result == fleetwave.read_result(town_run.folder / "result.json")
    assert result["devices"]["total"] == 4


def test_cells_are_what_their_columns_mean(devices: Path) -> None:
    first, second = fleetwave.read_devices(devices, engine="rows")
    assert first == {
        "campaign": "spring",
        "name": "Müller",
        "devEui": "70B3D57ED0000001",
        "runsIt": True,
        "dataRate": 5,
        "joules": 0.25,
        "cause": None,
    }
    assert second["name"] == "007"
    assert second["devEui"] == "0000000000000007"
    assert second["joules"] is None


def test_a_trace_is_read_by_kind(town_run: fleetwave.Run) -> None:
    everything = fleetwave.read_trace(town_run.folder, engine="rows")
    kinds = {row["kind"] for row in everything}
    assert len(kinds) > 1
    for kind in kinds:
        rows = fleetwave.read_trace(town_run.folder, kind=kind, engine="rows")
        assert 0 < len(rows) < len(everything)


def test_a_broken_line_of_a_trace_is_named(tmp_path: Path) -> None:
    (tmp_path / "trace.ndjson").write_text('{"kind": "a"}\n{"kind":\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"trace\.ndjson:2  is not JSON"):
        fleetwave.read_trace(tmp_path, engine="rows")


def test_what_is_not_there_or_not_allowed_is_said(tmp_path: Path, devices: Path) -> None:
    with pytest.raises(FileNotFoundError, match="a run or a study writes it"):
        fleetwave.read_seeds(tmp_path / "none")
    with pytest.raises(ValueError, match="allowed: pandas, polars, rows"):
        fleetwave.read_devices(devices, engine="numpy")


def test_pandas_frames_have_the_columns_of_the_file(devices: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = fleetwave.read_devices(devices)
    assert list(frame.columns) == DEVICES.split("\n", maxsplit=1)[0].split(",")
    assert frame["dataRate"].sum() == 5
    assert pandas.isna(frame["joules"][1])
    assert frame["name"][1] == "007"


def test_an_empty_table_still_has_its_columns(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    (tmp_path / "runs.csv").write_text("point,seed\n", encoding="utf-8")
    assert list(fleetwave.read_runs(tmp_path).columns) == ["point", "seed"]


def test_polars_frames_have_the_columns_of_the_file(devices: Path) -> None:
    pytest.importorskip("polars")
    frame = fleetwave.read_devices(devices, engine="polars")
    assert frame["dataRate"].to_list() == [5, 0]
    assert frame["joules"].null_count() == 1
