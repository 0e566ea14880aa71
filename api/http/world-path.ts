/** Where the paths of one world are, whichever it is: those of the main one need no such prefix. */
export const worldPath = (id: string): string => `/sim/v1/worlds/${id}`;

const WORLD = /^\/sim\/v1\/worlds\/([^/?]+)(\/.*)$/;

/** The world that a URL names, and the path within it; undefined: it names none. */
export function worldIn(url: string): { readonly id: string; readonly rest: string } | undefined {
  const [, id, rest] = WORLD.exec(url) ?? [];
  return id === undefined || rest === undefined ? undefined : { id, rest };
}
