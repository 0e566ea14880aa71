"""The plugin under test, and a scenario of a few devices with its results."""

from pathlib import Path

import pytest

import fleetwave

pytest_plugins = ["pytester"]

TOWN = """scenario: town
duration: 1 h
area: { radius: 1 km }
gateways: [{ name: roof }]
devices: [{ name: meter, count: 4, joinWithin: 1 min, traffic: { every: 10 min } }]
expectations:
  - joined >= 99 %
  - radio.uplinks > 1000000
"""


@pytest.fixture(scope="session")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("town") / "town.yaml"
    path.write_text(TOWN, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def town_run(town: Path) -> fleetwave.Run:
    return fleetwave.run(town, seed="a", out=town.parent / "out", trace=True)
