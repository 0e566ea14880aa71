import { describe, expect, it } from 'vitest';
import { Agenda } from '../../sim/kernel/agenda.ts';

/** Of this configuration alone: else the others would compare the sources with themselves. */
describe('the worlds of these tests', () => {
  it('have their code as bundles have it', () => {
    expect(Object.keys(new Agenda())).toContain('$queue');
  });
});
