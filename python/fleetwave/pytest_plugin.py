"""A pytest plugin: expectations of scenarios are tests, and an emulator is a fixture."""

import os
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import pytest

from .emulator import Emulator, start_emulator
from .program import ProgramMissing, ScenarioError
from .runs import Run, run


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("fleetwave", "scenarios of Fleetwave")
    group.addoption(
        "--fleetwave-scenario",
        action="append",
        default=[],
        metavar="FILE",
        help="a scenario whose expectations are tests",
    )
    group.addoption("--fleetwave-seed", metavar="TEXT", help="seed of scenarios and emulator")
    group.addoption("--fleetwave-serve", metavar="FILE", help="scenario of the emulator")
    parser.addini("fleetwave_scenarios", "scenarios whose expectations are tests", "paths", [])
    parser.addini("fleetwave_seed", "seed of scenarios and emulator")
    parser.addini("fleetwave_serve", "scenario of the emulator")


def _setting(config: pytest.Config, name: str) -> Optional[str]:
    return config.getoption(f"--fleetwave-{name}") or config.getini(f"fleetwave_{name}") or None


class _Scenarios(pytest.Collector):
    """All scenarios that are named, behind the tests of the session."""

    def collect(self) -> Iterator[pytest.Collector]:
        own = [Path(path) for path in self.config.getoption("--fleetwave-scenario")]
        for path in [*self.config.getini("fleetwave_scenarios"), *own]:
            name = os.path.relpath(path, self.config.rootpath)
            yield _Scenario.from_parent(self, name=name, scenario=Path(path))


class _Scenario(pytest.Collector):
    """One scenario: it is run when its tests are collected, since they are its expectations."""

    def __init__(self, *, scenario: Path, **others: Any) -> None:
        super().__init__(**others)
        self.scenario = scenario

    def collect(self) -> List[pytest.Item]:
        try:
            done = run(self.scenario, seed=_setting(self.config, "seed"))
        except (ScenarioError, ProgramMissing) as error:
            raise self.CollectError(str(error)) from error
        return [
            Expectation.from_parent(
                self, name=one["expectation"], scenario=self.scenario, judged=one, done=done
            )
            for one in done.expectations
        ]


class ExpectationFails(Exception):
    """An expectation does not hold."""


class Expectation(pytest.Item):
    """An expectation of a scenario."""

    def __init__(
        self, *, scenario: Path, judged: Dict[str, Any], done: Run, **others: Any
    ) -> None:
        super().__init__(**others)
        self.scenario = scenario
        self.judged = judged
        self.done = done
        self.user_properties += [
            ("actual", judged["actual"]),
            ("seed", done.seed),
            ("digest", done.digest),
            ("command", done.command),
        ]

    def runtest(self) -> None:
        if not self.judged["holds"]:
            actual = self.judged["actual"]
            was = "nothing was measured" if actual is None else f"it was {actual}"
            raise ExpectationFails(f"{self.name}: {was}\nrepeat: {self.done.command}")

    def repr_failure(self, excinfo: Any, style: Any = None) -> str:
        if isinstance(excinfo.value, ExpectationFails):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> Any:
        return self.scenario, None, self.name


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: List[pytest.Item]) -> None:
    """Adds the expectations behind the tests that pytest finds, before -k and -m choose."""
    own = _Scenarios.from_parent(session, name="fleetwave", nodeid="fleetwave")
    items.extend(session.genitems(own))


@pytest.fixture(scope="session")
def fleetwave_emulator(pytestconfig: pytest.Config) -> Iterator[Emulator]:
    """An emulator on a clock that stands still until a test moves it."""
    scenario, seed = _setting(pytestconfig, "serve"), _setting(pytestconfig, "seed")
    with start_emulator(scenario, seed=seed) as emulator:
        yield emulator
