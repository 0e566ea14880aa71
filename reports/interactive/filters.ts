/** Which devices a selection leaves, and their order. */

import type { Selection } from './address.ts';
import { type CampaignView, causeLabel, OUTCOME_LABELS, outcomeOf } from './campaign-view.ts';
import { type Field, fieldCalled, populationOf, type Value } from './fields.ts';
import type { Run } from './page-data.ts';

/** The campaign that is looked at: the one that is named, else the first. */
export const viewOf = ({ views }: Run, { campaign }: Selection): CampaignView | undefined =>
  views.find(({ name }) => name === campaign) ?? views[0];

/** Places of the devices that match, in the order of the columns. */
export function matching(run: Run, selection: Selection): number[] {
  const { names, devEuis } = run.columns?.devices ?? { names: [], devEuis: [] };
  const view = viewOf(run, selection);
  const query = selection.query.trim().toLowerCase();
  const { span } = selection;
  const bound = boundIn(selection.where);
  const found: number[] = [];
  for (let device = 0; device < devEuis.length; device++) {
    if (selection.population !== '' && populationOf(run, device) !== selection.population) continue;
    if (selection.outcome !== '' && outcomeOf(view, device) !== selection.outcome) continue;
    if (selection.cause !== '' && causeLabel(view, device) !== selection.cause) continue;
    if (bound !== undefined && !holds(bound, bound.field.of({ run, device, view, span }))) continue;
    if (query !== '' && !isNamed(names[device]!, devEuis[device]!, query)) continue;
    found.push(device);
  }
  return found;
}

/** A bound on a column of numbers. */
interface Bound {
  readonly field: Field;
  readonly isLeast: boolean;
  /** In the unit of the field. */
  readonly value: number;
}

/** Undefined: the text is none. */
function boundIn(where: string): Bound | undefined {
  const [, key = '', sign, value] = /^(\w+)([<>])(-?\d+(?:\.\d+)?)$/.exec(where) ?? [];
  const field = fieldCalled(key);
  if (field === undefined || !field.isNumber || value === undefined) return undefined;
  return { field, isLeast: sign === '>', value: Number(value) };
}

function holds({ field, isLeast, value }: Bound, actual: Value): boolean {
  if (typeof actual !== 'number') return false;
  const inUnit = actual * (field.times ?? 1);
  return isLeast ? inUnit >= value : inUnit <= value;
}

/** By a part of its name, or of its EUI with or without separators. */
function isNamed(name: string, devEui: string, query: string): boolean {
  if (name.toLowerCase().includes(query)) return true;
  const digits = query.replace(/[^0-9a-f]/g, '');
  return digits.length >= 2 && devEui.toLowerCase().includes(digits);
}

/** The same in the order of a field; what has no value comes last. */
export function sorted(run: Run, devices: readonly number[], selection: Selection): number[] {
  const field = fieldCalled(selection.sort);
  if (field === undefined) return [...devices];
  const view = viewOf(run, selection);
  const { span, descending } = selection;
  const values = new Map(
    devices.map((device) => [device, field.of({ run, device, view, span })] as const),
  );
  const sign = descending ? -1 : 1;
  return [...devices].sort((a, b) => {
    const order = compared(values.get(a)!, values.get(b)!, sign);
    return order === 0 ? a - b : order;
  });
}

function compared(a: Value, b: Value, sign: number): number {
  const [isNone, isOtherNone] = [a === null || a === '', b === null || b === ''];
  if (isNone || isOtherNone) return Number(isNone) - Number(isOtherNone);
  if (typeof a === 'string' && typeof b === 'string') return sign * inOrder(a, b);
  return sign * (Number(a) - Number(b));
}

/** Digits in a name count as numbers: `meter-9` comes before `meter-10`. */
function inOrder(a: string, b: string): number {
  const [first, second] = [a, b].map((text) => text.match(/\d+|\D+/g) ?? []);
  for (let at = 0; at < Math.min(first!.length, second!.length); at++) {
    const [one, other] = [first![at]!, second![at]!];
    if (one === other) continue;
    const difference = Number(one) - Number(other);
    return Number.isNaN(difference) || difference === 0 ? (one < other ? -1 : 1) : difference;
  }
  return first!.length - second!.length;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly devices: number;
}

/** Values that a filter offers, with the number of devices of each. */
export function choices(run: Run, selection: Selection, by: 'population' | 'outcome' | 'cause') {
  const view = viewOf(run, selection);
  const counts = new Map<string, number>();
  for (const device of run.columns?.devices.devEuis.keys() ?? []) {
    const value = {
      population: () => populationOf(run, device),
      outcome: () => outcomeOf(view, device),
      cause: () => causeLabel(view, device),
    }[by]();
    if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const all: Choice[] = [...counts].map(([value, devices]) => {
    const label = by === 'outcome' ? OUTCOME_LABELS[value as keyof typeof OUTCOME_LABELS] : value;
    return { value, label, devices };
  });
  return all.sort((a, b) => b.devices - a.devices || (a.label < b.label ? -1 : 1));
}
