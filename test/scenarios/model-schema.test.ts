/** Knobs that several models share: each model is held to its own range. */
import { describe, expect, it } from 'vitest';
import { modelSchema } from '../../scenarios/schema/model-schema.ts';
import { AssertionFailed } from '../../sim/base/assert.ts';
import type { Parameter } from '../../sim/radio/model.ts';

const about = { is: 'A model.' };
const model = (parameter: Parameter) => ({ is: 'a model', parameters: { value: parameter } });
const levels = (least: number, most: number): Parameter => ({
  knob: 'sigma',
  is: 'the spread.',
  type: 'number',
  unit: 'dB',
  least,
  most,
});
const words = (...of: string[]): Parameter => ({
  knob: 'land',
  is: 'the land.',
  type: 'choice',
  words: of,
});

function read(rows: Parameters<typeof modelSchema>[0], given: unknown): string {
  const { success, data, error } = modelSchema(rows, 'fading', about).safeParse(given);
  if (success) return JSON.stringify(data);
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

describe('a knob that two models share', () => {
  const rows = { calm: model(levels(0, 10)), wild: model(levels(5, 20)) };

  it.each([
    ['calm', '0 dB', '{"model":"calm","value":0}'],
    ['calm', '10 dB', '{"model":"calm","value":10}'],
    ['wild', '5 dB', '{"model":"wild","value":5}'],
    ['wild', '20 dB', '{"model":"wild","value":20}'],
    ['calm', '10.01 dB', 'sigma: is too large for calm; allowed: 0 dB to 10 dB'],
    ['wild', '4.99 dB', 'sigma: is too small for wild; allowed: 5 dB to 20 dB'],
  ])('%s takes or refuses %s by its own range', (name, sigma, outcome) => {
    expect(read(rows, { model: name, sigma })).toBe(outcome);
  });

  it('takes nothing that no model takes', () => {
    expect(read(rows, { model: 'wild', sigma: '20.01 dB' })).toContain('allowed: 0 dB to 20 dB');
  });

  it('takes the words of each model for that model alone', () => {
    const lands = { near: model(words('city', 'hill')), far: model(words('sea')) };
    expect(read(lands, { model: 'near', land: 'hill' })).toBe('{"model":"near","value":"hill"}');
    expect(read(lands, { model: 'far', land: 'hill' })).toBe('land: is not for far; allowed: sea');
  });

  it('has one unit: other rows are a fault of the program', () => {
    const count: Parameter = { knob: 'sigma', is: 'a count.', type: 'whole', least: 0, most: 3 };
    const mixed = { calm: model(levels(0, 10)), counted: model(count) };
    expect(() => modelSchema(mixed, 'fading', about)).toThrow(AssertionFailed);
  });
});
