"""Runs of scenarios, and the emulator."""

from pathlib import Path

import pytest

import fleetwave
from fleetwave.emulator import RequestFailed


def test_a_run_has_its_result_and_the_line_that_repeats_it(town: Path, town_run) -> None:
    assert town_run.holds("joined >= 99 %")
    assert town_run.actual("joined >= 99 %") == 1
    assert not town_run.holds()
    assert town_run.command == f"fleetwave run {town} --seed=a"
    assert len(town_run.digest) == 16


def test_a_run_takes_overrides(town: Path, tmp_path: Path) -> None:
    given = {"devices.meter.count": 7, "devices.meter.adr": False}
    done = fleetwave.run(town, set=given, out=tmp_path)
    assert done.result["devices"]["total"] == 7
    assert "--set=devices.meter.adr=false" in done.command


def test_a_scenario_that_is_not_right_is_refused_with_its_lines(town: Path) -> None:
    with pytest.raises(fleetwave.ScenarioError, match="did you mean") as refused:
        fleetwave.run(town, set={"devices.meter.cout": 7})
    assert refused.value.lines


def test_an_expectation_that_is_none_is_named(town_run) -> None:
    with pytest.raises(KeyError, match="allowed: joined >= 99 %"):
        town_run.holds("joined >= 98 %")


def test_a_program_that_is_not_there_is_said(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FLEETWAVE_PROGRAM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(fleetwave.ProgramMissing, match="npm install fleetwave"):
        fleetwave.program()


def test_the_fixture_is_an_emulator_whose_clock_tests_move(fleetwave_emulator) -> None:
    fleetwave_emulator.advance(3600)
    world = fleetwave_emulator.get("/sim/v1/world")
    assert world["joined"] == world["devices"] == 120
    with pytest.raises(RequestFailed) as failed:
        fleetwave_emulator.get("/sim/v1/devices/0000000000000000")
    assert failed.value.status == 404


def test_an_emulator_that_cannot_start_says_why(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("scenario: wrong\ndevices: 3\n", encoding="utf-8")
    with pytest.raises(fleetwave.ScenarioError, match=r"wrong\.yaml:2"):
        fleetwave.start_emulator(wrong)
