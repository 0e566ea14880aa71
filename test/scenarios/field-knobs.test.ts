/** Knobs of what the service has as fields: both are made of one table, core's. */
import { describe, expect, it } from 'vitest';
import { CAMPAIGN, RESTART } from '../../core/update-service/campaigns/commands.ts';
import { GROUP } from '../../core/update-service/device-groups.ts';
import { IMAGE } from '../../core/update-service/images.ts';
import { scenarioJsonSchema } from '../../scenarios/schema/schema.ts';
import { Campaign, Group, givenTo, Image, Restart } from '../../scenarios/schema/update-schema.ts';
import { effective, type Field } from '../../sim/base/rows/fields.ts';
import { readFields } from '../support/read-fields.ts';

const AT = { path: '', name: 'campaign', failure: 'wrong' };

/** What a file calls otherwise: things by name, an instant by virtual time. */
const RENAMED: Readonly<Record<string, string>> = {
  image_name: 'image',
  device_group_id: 'group',
  lora_class: 'class',
};

const rows = Object.entries(CAMPAIGN) as [keyof typeof CAMPAIGN, Field][];
const numbers = rows.flatMap(([name, row]) =>
  row.type === 'number' || row.type === 'whole' ? [[name, row] as const] : [],
);

/** A value as a file writes it in the unit of the service. */
function written({ unit }: (typeof numbers)[number][1], value: number): unknown {
  if (unit === undefined) return value;
  if (unit === 'dr') return `DR${value}`;
  return unit === 'share' ? `${value * 100} %` : `${value} ${unit}`;
}

describe('a field of the service', () => {
  it.each([
    ['campaign', CAMPAIGN, Campaign],
    ['restart', RESTART, Restart],
    ['device group', GROUP, Group],
    ['image', IMAGE, Image.in],
  ] as const)('is a knob of scenario files: %s', (_, fields, knobs) => {
    const names = Object.keys(fields).map((name) => RENAMED[name] ?? name);
    expect(Object.keys(knobs.shape)).toEqual(expect.arrayContaining(names));
  });

  it('has the default of its row when a file does not give it', () => {
    const defaults = effective(CAMPAIGN, {}) as unknown as Readonly<Record<string, unknown>>;
    const stated = rows.filter(([, row]) => row.default !== undefined);
    expect(stated.length).toBeGreaterThan(10);
    for (const [name] of stated)
      expect([name, givenTo(name as never, {})]).toEqual([name, defaults[name]]);
  });

  it.each(numbers)('has the range of its row, to both ends: %s', (name, row) => {
    // 2 of its powers of two are looked at; its own reader names the nearest.
    const within = name === 'mcast_session_timeout' ? [1, 32_768] : [row.least, row.most];
    for (const value of within) {
      const given = givenTo(name as never, { [name]: written(row, value) });
      expect(given).toBe(value);
      expect(readFields({ [name]: row }, { [name]: given }, AT)).toEqual({
        ok: true,
        value: { [name]: value },
      });
    }
    const step = row.type === 'whole' ? 1 : row.unit === 'MHz' ? 0.0001 : 0.001;
    for (const value of [row.least - step, row.most + step]) {
      expect([value, givenTo(name as never, { [name]: written(row, value) })]).toEqual([
        value,
        undefined,
      ]);
      expect(readFields({ [name]: row }, { [name]: value }, AT).ok).toBe(false);
    }
  });

  it('is documented by its row, in the schema that editors read', () => {
    type Node = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    const schema = scenarioJsonSchema() as {
      properties: { campaigns: { items: { properties: Node } } };
    };
    const { properties } = schema.properties.campaigns.items;
    const optional = rows.filter(([name, row]) => !row.required && properties[name] !== undefined);
    expect(optional.length).toBe(rows.length - 3);
    for (const [name, { is, source }] of optional) {
      expect([name, properties[name]!.description]).toEqual([name, is]);
      expect([name, properties[name]!.source]).toEqual([name, source]);
    }
  });

  it('has its default written as people write it', () => {
    const schema = JSON.stringify(scenarioJsonSchema());
    for (const text of ['30 %', '5 s', '60 s', '1 h', '0 s']) {
      expect(schema).toContain(`"default":"${text}"`);
    }
  });
});
