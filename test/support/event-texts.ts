/** Server-sent events as a client reads them: docs of the standard, 9.2.6. */

export interface HeardEvent {
  readonly id: number;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The whole events of a text; comments are none. */
export function heard(text: string): readonly HeardEvent[] {
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks
    .filter((block) => !block.startsWith(':'))
    .map((block) => {
      const lines = Object.fromEntries(
        block.split('\n').map((line) => [line.split(': ', 1)[0]!, line.replace(/^\w+: /, '')]),
      );
      return { id: Number(lines.id), event: lines.event!, data: JSON.parse(lines.data!) };
    });
}
