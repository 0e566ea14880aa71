#!/usr/bin/env bash
# Runs the scenario, and reports its expectations: in the log, on the page of the job, and as
# outputs. Ends with the exit code of fleetwave.
#
# SCENARIO SEEDS SEED EXPECTATIONS OVERRIDES VARIANT RESULTS   the inputs of action.yml
set -uo pipefail

results=${RESULTS:-fleetwave-results}
mkdir -p "$results"
junit="$results/junit.xml"
markdown="$results/summary.md"
errors="$results/errors.txt"

words=(run "$SCENARIO" --out "$results" --junit "$junit" --markdown "$markdown")
[ -z "${SEEDS:-}" ] || words+=(--seeds "$SEEDS")
[ -z "${SEED:-}" ] || words+=(--seed "$SEED")
[ -z "${VARIANT:-}" ] || words+=(--variant "$VARIANT")
while IFS= read -r line; do
  [ -z "${line//[[:space:]]/}" ] || words+=(--set "$line")
done <<< "${OVERRIDES:-}"
if [ -n "${EXPECTATIONS//[[:space:]]/}" ]; then
  # JSON is YAML, so whatever stands in a line stays a text.
  list=$(node -e '
    const lines = process.env.EXPECTATIONS.split("\n").map((line) => line.trim());
    process.stdout.write(JSON.stringify(lines.filter((line) => line !== "")));
  ')
  words+=(--set "expectations=$list")
fi

fleetwave "${words[@]}" 2> "$errors"
code=$?
cat "$errors" >&2
# `file:line:column  what is wrong` becomes a mark at that line of the pull request.
sed -nE 's/^([^ :]+):([0-9]+):([0-9]+)  (.*)$/::error file=\1,line=\2,col=\3::\4/p' "$errors"

{
  if [ -s "$markdown" ]; then
    cat "$markdown"
  else
    echo "## ✗ $SCENARIO"
    echo
    echo 'Fleetwave came to no result:'
    echo
    sed 's/^/    /' "$errors"
  fi
  echo
} >> "${GITHUB_STEP_SUMMARY:-/dev/null}"

{
  echo "code=$code"
  echo "artifact=$(basename -- "$results" | tr -c 'A-Za-z0-9.\n' '-')"
  echo "junit=$junit"
  echo "markdown=$markdown"
  echo "results=$results"
} >> "${GITHUB_OUTPUT:-/dev/null}"
exit "$code"
