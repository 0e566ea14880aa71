/** Every kind of targets: what profiles, destinations and files derive from its declaration. */
import { describe, expect, it } from 'vitest';
import { ANY_DESTINATION_DATA } from '../../../core/delivery/destinations/data-rows.ts';
import { ARRAYS, RESPONSE_FIELDS, SECRETS } from '../../../core/delivery/output-profiles/rows.ts';
import { KINDS, kindOf, TARGET_KINDS } from '../../../core/delivery/targets/kinds.ts';
import { TARGET_LISTS } from '../../../scenarios/schema/delivery-schema.ts';
import type { Field, Fields } from '../../../sim/base/rows/fields.ts';

const NOTHING = { Topic: '', URL: '', headers: [] } as never;

describe.each(TARGET_KINDS)('targets of the kind %s', (kind) => {
  const { entry, destination } = KINDS[kind];
  const rows: Fields = entry.rows;

  it('are reached by a route of their kind, from an entry and from a destination', () => {
    expect(entry.route(NOTHING).kind).toBe(kind);
    expect(destination.route(NOTHING, undefined).kind).toBe(kind);
  });

  it('are found by their array and by the type of their destinations', () => {
    expect([kindOf(entry.array), kindOf(destination.type)]).toEqual([kind, kind]);
    expect(TARGET_LISTS[entry.knob]).toBe(entry.array);
    expect(ARRAYS[entry.array]).toBe(rows);
  });

  it('show of each secret of an entry that there is one, and nothing else', () => {
    const answered: Fields = RESPONSE_FIELDS.fields[entry.array].of.fields;
    const secret = Object.keys(rows).filter((name) => rows[name]!.secret);
    expect(SECRETS[entry.array]).toEqual(secret);
    expect(secret).not.toEqual([]);
    for (const name of secret) expect(answered[name]).toMatchObject({ words: ['', '********'] });
  });

  it('have a destination whose place is needed, in a form of its type', () => {
    const place: Field = (destination.rows as Fields)[destination.place]!;
    expect(place).toMatchObject({ type: 'text', required: true, allowed: expect.any(String) });
    const shared = (ANY_DESTINATION_DATA as Fields)[destination.place]!;
    expect(shared).not.toHaveProperty('allowed');
    expect(shared.is).toMatch(new RegExp(`\\b${destination.type}(, \\w+)*: `));
  });
});

it('a field of several types of destinations stands once, by what each calls it', () => {
  const said = ['host', 'topic', 'url'].map((name) => (ANY_DESTINATION_DATA as Fields)[name]!.is);
  expect(said).toEqual([
    expect.stringMatching(/^mqtt(, \w+)*: the broker; cloud_b_iot_hub(, \w+)*: the hub\./),
    expect.stringMatching(/^mqtt, cloud_a_iot_core(, \w+)*: topic\./),
    expect.stringMatching(/^webhook(, \w+)*: Where events are posted to\./),
  ]);
});
