/** Notation for scenario tests: a file's text in, its scenario or its faults out. */
import { expect } from 'vitest';
import type { Bundle } from '../../scenarios/composing/texts.ts';
import { format } from '../../scenarios/language/problem.ts';
import { type Loaded, load } from '../../scenarios/load.ts';
import type { Scenario } from '../../scenarios/schema/schema.ts';

const encoder = new TextEncoder();

/** Files by path, from text. */
export function bundleOf(files: Readonly<Record<string, string>>): Bundle {
  return new Map(Object.entries(files).map(([path, text]) => [path, encoder.encode(text)]));
}

/** The text as `file.yaml`, with overrides. */
export function loadText(text: string, settings: readonly string[] = []): Loaded {
  return load('file.yaml', bundleOf({ 'file.yaml': text }), settings);
}

/** All faults, a line each; empty for a scenario without fault. */
export function faultsOf(text: string, settings: readonly string[] = []): string[] {
  const loaded = loadText(text, settings);
  return loaded.outcome === 'problems' ? loaded.problems.map(format) : [];
}

/** All warnings of a scenario without fault, a line each. */
export function warningsOf(text: string): string[] {
  expect(faultsOf(text)).toEqual([]);
  const loaded = loadText(text);
  return loaded.outcome === 'scenario' ? loaded.warnings.map(format) : [];
}

/** The scenario of a text that has no fault. */
export function scenarioOf(text: string, settings: readonly string[] = []): Scenario {
  expect(faultsOf(text, settings)).toEqual([]);
  const loaded = loadText(text, settings);
  if (loaded.outcome !== 'scenario') throw new Error(`the text ${loaded.outcome}`);
  return loaded.scenario;
}

/** The shortest scenario. */
export const SHORTEST = 'scenario: short\ndevices: [{ name: meter, count: 3 }]\n';

/** `SHORTEST` with one more line at its end. */
export const shortestWith = (line: string): string => `${SHORTEST}${line}\n`;

/** The shortest scenario with something more about its one population. */
export const meterWith = (knobs: string): string =>
  `scenario: short\ndevices: [{ name: meter, count: 3, ${knobs} }]\n`;
