/** Examples in an OpenAPI document: requests that were sent to an emulator, and its responses. */
import { EXAMPLES } from './generated/examples.ts';
import {
  mapValues,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
} from './openapi-components.ts';

/** The same document, with an example at parameters, request body and successful response. */
export function withExamples(document: OpenApiDocument): OpenApiDocument {
  const { components } = document;
  const parameters: Record<string, Parameter> = { ...(components?.parameters as object) };
  const withExample = (operation: OperationObject): OperationObject => {
    const { params = {} } = EXAMPLES[operation.operationId] ?? {};
    for (const { $ref } of operation.parameters ?? []) {
      const name = $ref?.split('/').at(-1);
      // Shared ones have the example of the first operation.
      if (name === undefined || 'example' in parameters[name]!) continue;
      parameters[name] = withValue(parameters[name]!, params[parameters[name]!.name!]);
    }
    return exampleIn(operation);
  };
  const paths = mapValues(document.paths ?? {}, (methods) => mapValues(methods, withExample));
  return { ...document, paths, components: { ...components, parameters } };
}

function exampleIn(operation: OperationObject): OperationObject {
  const { operationId, parameters, requestBody, responses } = operation;
  const { params = {}, body, answer } = EXAMPLES[operationId] ?? {};
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters.map((each) => withValue(each, params[each.name ?? ''])),
    }),
    ...(requestBody && { requestBody: withContent(requestBody, body) }),
    responses: mapValues(responses, (response, status) =>
      status === successOf(responses) ? withContent(response, answer) : response,
    ),
  };
}

const successOf = (responses: object): string | undefined =>
  Object.keys(responses).find((status) => status.startsWith('2'));

const withValue = <Of extends object>(of: Of, example: unknown): Of =>
  example === undefined ? of : { ...of, example };

type Content = NonNullable<OperationObject['requestBody']>['content'];

/** The example is of the first medium: others have the same in another form. */
function withContent<Of extends { readonly content?: Content }>(of: Of, example: unknown): Of {
  if (of.content === undefined) return of;
  const [first] = Object.keys(of.content);
  const content = mapValues(of.content, (media, name) =>
    name === first ? withValue(media, example) : media,
  );
  return { ...of, content };
}
