"""The plugin: expectations of scenarios become tests of a session."""

from pathlib import Path


def test_each_expectation_is_a_test(pytester, town: Path) -> None:
    pytester.makepyfile("def test_own():\n    pass\n")
    words = ["--fleetwave-scenario", str(town), "--fleetwave-seed", "a", "-v"]
    ended = pytester.runpytest_subprocess(*words)
    ended.assert_outcomes(passed=2, failed=1)
    ended.stdout.fnmatch_lines(
        ["*test_own PASSED*", "*joined >= 99 %*PASSED*", "*uplinks > 1000000*FAILED*"]
    )
    ended.stdout.fnmatch_lines(["repeat: fleetwave run *town.yaml --seed=a"])


def test_tests_are_chosen_by_their_sentences(pytester, town: Path) -> None:
    ended = pytester.runpytest_subprocess("--fleetwave-scenario", str(town), "-k", "joined")
    ended.assert_outcomes(passed=1, deselected=1)


def test_scenarios_stand_in_the_settings_of_pytest(pytester, town: Path) -> None:
    pytester.makeini(f"[pytest]\nfleetwave_scenarios = {town}\nfleetwave_seed = b\n")
    ended = pytester.runpytest_subprocess("--junitxml=report.xml")
    ended.assert_outcomes(passed=1, failed=1)
    report = (pytester.path / "report.xml").read_text(encoding="utf-8")
    assert '<property name="seed" value="b"' in report


def test_a_scenario_that_is_not_right_is_an_error_of_collection(pytester) -> None:
    wrong = pytester.makefile(".yaml", wrong="scenario: wrong\ndevices: 3\n")
    ended = pytester.runpytest_subprocess("--fleetwave-scenario", str(wrong))
    assert ended.ret != 0
    ended.stdout.fnmatch_lines(["*wrong.yaml:2*"])
