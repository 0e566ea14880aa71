/**
 * The knobs of a file as a Markdown table, made from its schema so that it cannot lag behind: those
 * of scenarios here, those of studies in `scenarios/study`.
 */
import { markdownTable } from '../../sim/base/markdown.ts';
import { scenarioJsonSchema } from './schema.ts';

interface Node {
  readonly description?: string;
  readonly source?: string;
  readonly default?: unknown;
  readonly unit?: string;
  readonly range?: string;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Node | boolean;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
}

export const knobTable = (): string => tableOf(scenarioJsonSchema());

/**
 * One row a knob of a JSON Schema: path, what may stand there, default, meaning and source. A map
 * that was shown before is named by its first path. Ends in a line feed.
 */
export function tableOf(schema: Readonly<Record<string, unknown>>): string {
  const rows = rowsOf(schema as Node, '', new Map());
  return markdownTable(['Key', 'Value', 'Default', 'Meaning'], rows);
}

/** First path of each kind of map. */
type Shown = Map<string, string>;

function rowsOf(node: Node, path: string, shown: Shown): string[][] {
  return childrenOf(node).flatMap(([key, child]) => {
    const here = path === '' ? key : `${path}.${key}`;
    const needed = node.required?.includes(key) === true;
    const { properties, additionalProperties, items, anyOf } = child;
    const kind = JSON.stringify([properties, additionalProperties, items, anyOf]);
    const first = shown.get(kind);
    const maps = below(child, here, first === undefined ? shown : new Map());
    const known = first !== undefined && maps.length > 0;
    if (first === undefined) shown.set(kind, here);
    const value = known ? `as \`${first}\`` : kindOf(child);
    const { description = '', source } = child;
    const meaning = source === undefined ? description : `${description} *(${source})*`;
    const own = [`\`${here}\``, value, defaultOf(child, needed), meaning];
    return known ? [own] : [own, ...maps];
  });
}

/** What a map has, or what each entry of one has whose keys are the user's. */
function childrenOf({ properties = {}, additionalProperties }: Node): [string, Node][] {
  if (typeof additionalProperties !== 'object') return Object.entries(properties);
  return [...Object.entries(properties), ...ofEach(additionalProperties)];
}

const ofEach = (entry: Node): [string, Node][] =>
  Object.entries(entry.properties ?? {}).map(([key, child]) => [`<name>.${key}`, child]);

/** Rows of the maps that a knob holds, in lists and alternatives too. */
function below(node: Node, path: string, shown: Shown): string[][] {
  const inItems = node.items === undefined ? [] : rowsOf(node.items, `${path}[]`, shown);
  const inAlternatives = (node.anyOf ?? []).flatMap((one) => below(one, path, shown));
  return [...rowsOf(node, path, shown), ...inItems, ...inAlternatives];
}

function kindOf(node: Node): string {
  if (node.enum !== undefined) return node.enum.map((word) => `\`${word}\``).join(', ');
  if (node.range !== undefined) return node.range;
  if (node.anyOf !== undefined) return node.anyOf.map(kindOf).join(' or ');
  if (node.minimum !== undefined && node.minimum === node.maximum) return `${node.minimum}`;
  if (node.minimum !== undefined) return `${node.minimum} to ${node.maximum}`;
  if (node.type === 'array') return 'list';
  if (node.type === 'object') return 'map';
  return node.type === 'boolean' ? '`true`, `false`' : 'text';
}

function defaultOf(node: Node, needed: boolean): string {
  if (needed) return '*needed*';
  if (node.default === undefined || node.default === '') return '';
  const text = typeof node.default === 'string' ? node.default : JSON.stringify(node.default);
  return `\`${text}\``;
}
