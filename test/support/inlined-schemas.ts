/** An OpenAPI document with its schemas and parameters in place of references to them. */
interface Referring {
  readonly paths: object;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly parameters?: Readonly<Record<string, object>>;
    readonly responses: object;
  };
}

const REFERENCE = /^#\/components\/(schemas|parameters)\/(\w+)$/;

export function inlined<Document extends Referring>(document: Document): Document {
  const { schemas, parameters = {} } = document.components;
  const all = { schemas, parameters };
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as { readonly $ref?: string };
    const [, kind, name] = REFERENCE.exec(String($ref)) ?? [];
    if (name === undefined) return mapped(value);
    const referred = all[kind as keyof typeof all][name];
    return { ...(inline(referred) as object), ...mapped(rest) };
  };
  const mapped = (value: object) =>
    Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inline(each)]));
  const { paths, ...others } = document;
  const { responses, ...components } = document.components;
  return {
    ...others,
    paths: inline(paths),
    components: { ...components, responses: inline(responses) },
  } as unknown as Document;
}
