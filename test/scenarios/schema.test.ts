/** The schema: every knob documents itself, and the documentation has every knob. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { load } from '../../scenarios/load.ts';
import { scenarioJsonSchema } from '../../scenarios/schema/schema.ts';
import { bundleOf, faultsOf, SHORTEST } from './scenario.ts';

interface Node {
  readonly description?: string;
  readonly additionalProperties?: boolean;
  readonly unevaluatedProperties?: boolean;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
}

const PAGE = readFileSync(new URL('../../docs/scenario-file.md', import.meta.url), 'utf8');

/** Every knob with its path. */
function knobsOf(node: Node, path = ''): [string, Node][] {
  return [
    ...Object.entries(node.properties ?? {}).flatMap(([key, child]): [string, Node][] => [
      [`${path}/${key}`, child],
      ...knobsOf(child, `${path}/${key}`),
    ]),
    ...(node.items === undefined ? [] : knobsOf(node.items, path)),
    ...(node.anyOf ?? []).flatMap((one) => knobsOf(one, path)),
  ];
}

describe('the JSON Schema', () => {
  const knobs = knobsOf(scenarioJsonSchema() as Node);

  it('describes every knob', () => {
    expect(knobs.length).toBeGreaterThan(80);
    const silent = knobs.filter(([, { description }]) => !/^\S.*[.:]$|\S/.test(description ?? ''));
    expect(silent.map(([path]) => path)).toEqual(['/devices/dataRate/link']);
  });

  it('knows the units and defaults of the knobs', () => {
    expect(scenarioJsonSchema()).toMatchObject({
      required: ['scenario', 'devices'],
      properties: {
        duration: { default: '1 d', unit: 's us ms min h d w y', range: '1 us to 3650 d' },
        radio: { properties: { shadowing: { default: '4 dB', source: expect.any(String) } } },
      },
    });
  });

  it('closes every map', () => {
    for (const [path, node] of knobs) {
      if (node.properties === undefined || path.endsWith('dataRate')) continue;
      const closed = node.additionalProperties ?? node.unevaluatedProperties;
      expect([path, closed]).toEqual([path, false]);
    }
  });
});

/** Faults of a text that names the files of the page. */
function faultsOfSeveral(text: string, town: string): unknown {
  const files = {
    'winter.yaml': text,
    'town.yaml': town,
    'fleets/meters.yaml': '[{ name: meter, count: 3 }]',
    'sites.yaml': 'gateways: [{ name: mast }]',
  };
  const loaded = load('winter.yaml', bundleOf(files));
  return loaded.outcome === 'problems' ? loaded.problems : [];
}

describe('the page about the scenario file', () => {
  it('shows YAML that is right, whole or as a part', () => {
    const examples = [...PAGE.matchAll(/```yaml\n([^`]*)```/g)].map(([, text]) => text!);
    expect(examples.length).toBeGreaterThan(4);
    const gateways = 'gateways: [{ name: roof, count: 2 }]\n';
    const hundred = `${SHORTEST.replace('count: 3', 'count: 100')}${gateways}`;
    for (const text of examples) {
      if (text.includes('extends:')) expect(faultsOfSeveral(text, hundred)).toEqual([]);
      else if (text.startsWith('scenario:')) expect(faultsOf(text)).toEqual([]);
      else if (text.startsWith('placement:')) {
        for (const line of text.trim().split('\n')) {
          const place = line.slice('placement:'.length).replace(/ +#.*$/, '');
          const isPoint = /at:|latitude:/.test(line);
          const more = isPoint ? '' : ', count: 3';
          const whole = `scenario: a\ndevices: [{ name: m${more}, placement: ${place} }]`;
          expect(faultsOf(whole)).toEqual([]);
        }
      } else expect(faultsOf(hundred + text)).toEqual([]);
    }
  });
});
