"""Results of Fleetwave as data frames, runs of scenarios, and a pytest plugin."""

from .emulator import Emulator, start_emulator
from .program import ProgramMissing, ScenarioError, program
from .results import (
    read_devices,
    read_points,
    read_result,
    read_runs,
    read_seeds,
    read_study,
    read_trace,
)
from .runs import Run, run

__all__ = [
    "Emulator",
    "ProgramMissing",
    "Run",
    "ScenarioError",
    "program",
    "read_devices",
    "read_points",
    "read_result",
    "read_runs",
    "read_seeds",
    "read_study",
    "read_trace",
    "run",
    "start_emulator",
]
