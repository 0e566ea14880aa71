/** JUnit XML as two parsers read it. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { SaxesParser } from 'saxes';
import { expect } from 'vitest';

export interface Case {
  readonly name: string;
  readonly state: 'holds' | 'failure' | 'error' | 'skipped';
  readonly properties: Readonly<Record<string, string>>;
}

const LISTS = new Set(['testsuite', 'testcase', 'property']);

/** Cases by a parser that builds a tree, which also judges the form. */
function casesByTree(xml: string): readonly Case[] {
  expect(XMLValidator.validate(xml)).toBe(true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    htmlEntities: true,
    trimValues: false,
    isArray: (name) => LISTS.has(name),
  });
  const { testsuites } = parser.parse(xml);
  return testsuites.testsuite.flatMap((suite: { testcase: Readonly<Record<string, never>>[] }) =>
    suite.testcase.map((one): Case => {
      const { property } = one.properties as unknown as {
        property: { name: string; value: string }[];
      };
      return {
        name: one.name as unknown as string,
        state: (['failure', 'error', 'skipped'] as const).find((each) => each in one) ?? 'holds',
        properties: Object.fromEntries(property.map(({ name, value }) => [name, value])),
      };
    }),
  );
}

/** The same by a strict parser of events. */
function casesByEvents(xml: string): readonly Case[] {
  const cases: { name: string; state: Case['state']; properties: Record<string, string> }[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const open = cases.at(-1);
    if (name === 'testcase')
      cases.push({ name: attributes.name ?? '', state: 'holds', properties: {} });
    else if (open === undefined) return;
    else if (name === 'property') open.properties[attributes.name ?? ''] = attributes.value ?? '';
    else if (name === 'failure' || name === 'error' || name === 'skipped') open.state = name;
  });
  parser.write(xml).close();
  return cases;
}

/** Cases on which both parsers agree. */
export function casesOf(xml: string): readonly Case[] {
  const cases = casesByTree(xml);
  expect(casesByEvents(xml)).toEqual(cases);
  return cases;
}
