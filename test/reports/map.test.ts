/** The maps of a report: things are named as their lists name them. */
import { describe, expect, it } from 'vitest';
import { BY_DELIVERY, deviceMap } from '../../reports/charts/map.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';

const TOWN = `scenario: town
duration: 1 h
gateways: [{ name: g, placement: { file: g.csv } }]
devices: [{ name: meter, placement: { file: m.csv } }]
`;

function mapOf(rows: readonly string[]): string {
  const files = { 'g.csv': 'name,x,y\nKöln ☂,0,0\n', 'm.csv': `name,x,y\n${rows.join('\n')}\n` };
  const { result } = runScenario(TOWN, { files });
  return deviceMap(result, BY_DELIVERY).markup;
}

const rowsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `Café <${i}>,${10 * i},5`);

describe('a map', () => {
  it('writes the names of a short list beside its things', () => {
    const map = mapOf(rowsOf(20));
    expect(map.match(/>Café &lt;\d+&gt;<\/text>/g)).toHaveLength(20);
    expect(map).toContain('>Köln ☂</text>');
  });

  it('shows the names of a longer list where it is pointed at', () => {
    const map = mapOf(rowsOf(21));
    expect(map.match(/<title>Café &lt;\d+&gt;<\/title>/g)).toHaveLength(21);
    expect(map).not.toContain('&gt;</text>');
  });

  it('leaves out names that are numbers of a population', () => {
    expect(mapOf([',0,5', ',10,5'])).not.toContain('meter-1');
  });
});
