#!/usr/bin/env bash
# Puts the program `fleetwave` on the path of the steps that follow.
#
# FLEETWAVE_PACKAGE  what npm installs: a version, or a file; empty: the checkout's own
set -euo pipefail

package=${FLEETWAVE_PACKAGE:-}
if [ -z "$package" ]; then
  own="${GITHUB_WORKSPACE:-$PWD}/node_modules/.bin"
  if [ ! -x "$own/fleetwave" ]; then
    echo "::error::node_modules has no fleetwave: run npm ci before, or give the input fleetwave"
    exit 2
  fi
  echo "$own" >> "$GITHUB_PATH"
  exit 0
fi

folder="$RUNNER_TEMP/fleetwave"
bin="$folder/node_modules/.bin"
case "$package" in
  *.tgz | /* | ./*) wanted=$package ;;
  *) wanted="fleetwave@$package" ;;
esac
# The cache of an earlier job may have it.
if [ ! -x "$bin/fleetwave" ] || [ "$(cat "$folder/installed" 2>/dev/null)" != "$wanted" ]; then
  mkdir -p "$folder"
  npm install --no-audit --no-fund --prefix "$folder" "$wanted"
  echo "$wanted" > "$folder/installed"
fi
echo "$bin" >> "$GITHUB_PATH"
