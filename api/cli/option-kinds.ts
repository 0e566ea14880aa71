/** What commands and their options are made of. */

/** Takes the command that the words name, which resolves to its exit code; nothing runs after. */
export type Chosen = (command: () => Promise<number>) => void;

export const CHOICE = { requiresArg: true } as const;
export const WORD = { ...CHOICE, type: 'string' } as const;
