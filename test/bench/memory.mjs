/**
 * What a device costs in memory, by what holds it: `npm run build && npm run bench:memory`. W1 is
 * stopped in its twentieth minute, with 100 000 devices, and what is on the heap is followed from
 * the world on; each thing counts to anyone who holds it by the shortest way. Bytes are those a
 * device: of arrays of numbers, which are the same each time, and of objects, strings and maps.
 *
 *     --devices=100000   how many
 *     --columns          of tables each column by itself
 *     --write            into docs/performance.md
 *     --json             rows as JSON
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getHeapSnapshot, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { World } from '../../dist/core/world/world.js';
import { populate } from '../../dist/scenarios/filling/populate.js';
import { load } from '../../dist/scenarios/load.js';
import { HERE, machine, optionsOf, writePart } from './measured.mjs';

const MINUTE = 60e6;
/** Rows of less than this a device are reported together. */
const LEAST_BYTES = 1;

/** The world, by itself: nothing else holds what it was made of. */
function worldOf(devices) {
  const file = readFileSync(join(HERE, 'scenarios/library/validation/w1.yaml'));
  const loaded = load('w1.yaml', new Map([['w1.yaml', file]]), [`devices.device.count=${devices}`]);
  if (loaded.outcome !== 'scenario') throw new Error(JSON.stringify(loaded.problems));
  return World.create(populate(loaded.scenario, 'bench'), 'bench', { records: false });
}

function collectGarbage() {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  for (let i = 0; i < 4; i++) collect();
}

/** The heap as V8 reports it: one row of numbers a node, one an edge. */
async function heapOf() {
  const pieces = [];
  for await (const piece of getHeapSnapshot()) pieces.push(piece);
  return JSON.parse(pieces.join(''));
}

/** Nodes and edges of the heap by number, and what each field of them means. */
function graphOf({ snapshot, nodes, edges, strings }) {
  const { node_fields, node_types, edge_fields, edge_types } = snapshot.meta;
  const node = Object.fromEntries(node_fields.map((field, at) => [field, at]));
  const edge = Object.fromEntries(edge_fields.map((field, at) => [field, at]));
  const [nodeWidth, edgeWidth] = [node_fields.length, edge_fields.length];
  const count = nodes.length / nodeWidth;
  const firstEdge = new Float64Array(count + 1);
  for (let at = 0; at < count; at++) {
    firstEdge[at + 1] = firstEdge[at] + nodes[at * nodeWidth + node.edge_count];
  }
  return {
    count,
    name: (at) => strings[nodes[at * nodeWidth + node.name]],
    type: (at) => node_types[0][nodes[at * nodeWidth + node.type]],
    bytes: (at) => nodes[at * nodeWidth + node.self_size],
    /** Calls with the number of each node that this one holds, and the name it has there. */
    each(at, call) {
      for (let e = firstEdge[at]; e < firstEdge[at + 1]; e++) {
        const type = edge_types[0][edges[e * edgeWidth + edge.type]];
        const name = edges[e * edgeWidth + edge.name_or_index];
        const isNamed = type !== 'element' && type !== 'hidden';
        if (type !== 'weak') {
          call(edges[e * edgeWidth + edge.to_node] / nodeWidth, isNamed ? strings[name] : '', type);
        }
      }
    },
  };
}

/** What lies behind these is the engine's, or code. */
const isOfTheEngine = (graph, at) => ['code', 'closure', 'hidden'].includes(graph.type(at));

/** Follows the heap from the world on; calls with each node and the names on the way to it. */
function follow(graph, visit) {
  const worlds = Array.from({ length: graph.count }, (_, at) => at).filter(
    (at) => graph.name(at) === 'World' && graph.type(at) === 'object',
  );
  if (worlds.length !== 1) throw new Error(`${worlds.length} worlds are on the heap`);
  const ways = new Array(graph.count);
  ways[worlds[0]] = '';
  let front = worlds;
  while (front.length > 0) {
    const next = [];
    for (const from of front) {
      visit(from, ways[from]);
      graph.each(from, (to, name, type) => {
        if (ways[to] !== undefined) return;
        const engines = isOfTheEngine(graph, to) || name === 'map' || name === '__proto__';
        if (engines && graph.name(to) !== 'system / JSArrayBufferData') return;
        const step = type === 'property' ? `.${name}` : '';
        ways[to] = ways[from] + step;
        next.push(to);
      });
    }
    front = next;
  }
}

const isArrayOfNumbers = (graph, at) => graph.name(at) === 'system / JSArrayBufferData';

/** Of the two wide tables: columns whose names say what they are for. */
const FEATURES = [
  ['root keys', /^(appKey|nwkKey|genAppKey)$/],
  ['session keys', /^(nwkSKey|appSKey)$/],
  ['keys of 1.1', /^(sNwkSIntKey|nwkSEncKey|next[A-Z]\w*)$/],
  ['rejoins', /^(rejoin|forced|rjCount)/],
  ['ADR history', /^history/],
  ['MAC commands', /^macQueue/],
];

/** Who holds a thing, by the names on the way to it: a table, or a part of the world. */
function holderOf(way, isByColumn) {
  const names = way.split('.').map((name) => name.replace('#', ''));
  const place = names.filter((name) => name !== '' && name !== 'sides' && name !== 'table');
  if (place[0] === 'network') place.shift();
  const at = place.indexOf('column');
  if (at < 0) return place.slice(0, 3).join(' ');
  const [table, column] = [place.slice(0, at).join(' '), place[at + 1] ?? ''];
  if (isByColumn) return `${table} ${column}`;
  const isWide = /devices$|registrations$/.test(table);
  const feature = isWide && FEATURES.find(([, names]) => names.test(column));
  return feature ? `${table}, ${feature[0]}` : table;
}

/** Bytes a device by holder, the most first. */
function rowsOf(graph, devices, isByColumn) {
  const rows = new Map();
  follow(graph, (at, way) => {
    const holder = holderOf(way, isByColumn);
    const row = rows.get(holder) ?? { holder, numbers: 0, objects: 0 };
    row[isArrayOfNumbers(graph, at) ? 'numbers' : 'objects'] += graph.bytes(at) / devices;
    rows.set(holder, row);
  });
  return [...rows.values()].sort((a, b) => b.numbers + b.objects - a.numbers - a.objects);
}

const total = (rows, figure) => rows.reduce((sum, row) => sum + row[figure], 0);

function textOf(rows) {
  const isSmall = ({ numbers, objects }) => numbers + objects < LEAST_BYTES;
  const sum = (holder, some) => ({
    holder,
    numbers: total(some, 'numbers'),
    objects: total(some, 'objects'),
  });
  const shown = rows.filter((row) => !isSmall(row));
  const lines = [...shown, sum('all else', rows.filter(isSmall)), sum('**all**', rows)];
  const head = '| what holds them | of numbers, B | of objects, B |\n| --- | --- | --- |';
  const text = lines.map(
    ({ holder, numbers, objects }) =>
      `| ${holder} | ${numbers.toFixed(1)} | ${objects.toFixed(1)} |`,
  );
  return [head, ...text].join('\n');
}

async function main({ devices = '100000', columns = false, write, json }) {
  const world = worldOf(Number(devices));
  world.runUntil(20 * MINUTE);
  collectGarbage();
  const rows = rowsOf(graphOf(await heapOf()), Number(devices), columns);
  const [numbers, objects] = [total(rows, 'numbers'), total(rows, 'objects')];
  if (json) return console.log(JSON.stringify({ at: world.nowUs, numbers, objects, rows }));
  const text = `${devices} devices; ${machine()}.\n\n${textOf(rows)}`;
  console.log(text);
  if (write) writePart('memory', text);
}

process.chdir(HERE);
await main(optionsOf(process.argv.slice(2)));
