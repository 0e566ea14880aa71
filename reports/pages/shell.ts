/** The frame of every page: its head, its policy, its style, its footer. */
import { INTERACTIVE_STYLE } from '../markup/interactive-style.ts';
import { type Content, html, trusted } from '../markup/markup.ts';
import { STYLE } from '../markup/style.ts';
import { dataAndScript, type InteractivePage, policyOf } from './interactive-parts.ts';

export interface Shell {
  readonly title: string;
  readonly version: string;
  /** What stands in `<header>`, whole. */
  readonly header: Content;
  readonly main: Content;
  readonly footer: string;
  /** More rules of style. */
  readonly style?: string;
  /** The runs that a script shows, and the script; absent: the page has none. */
  readonly interactive?: InteractivePage | undefined;
}

/** One file that loads nothing. The same content gives the same bytes. */
export function pageOf(shell: Shell): string {
  const { title, version, header, main, footer, style = '', interactive } = shell;
  const more = interactive === undefined ? style : style + INTERACTIVE_STYLE;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(interactive?.script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Fleetwave ${version}">
<title>${title} – Fleetwave</title>
<style>${trusted(STYLE + more)}</style>
</head>
<body>
${header}
<main>
${main}</main>
<footer>${footer}</footer>
${interactive === undefined ? '' : dataAndScript(interactive)}</body>
</html>
`.markup;
}
