/** What the report of a study needs beside the style sheet of a run’s: lines, maps, marks. */

/** Six lines that can be distinguished with every common colour blindness (after Okabe and Ito). */
const LIGHT = `
  --s0: #0072b2; --s1: #d55e00; --s2: #00755a; --s3: #a3457f; --s4: #8a6a00; --s5: #18202c;
  --h0: #eef4f9; --h1: #d3e4f1; --h2: #aecde6; --h3: #7fb0d6; --h4: #4b8cc0; --h5: #24669f;
  --h6: #0b4377; --low-ink: #18202c; --high-ink: #ffffff; --hatch: #18202c;`;

const DARK = `
  --s0: #56b4e9; --s1: #f28a3a; --s2: #37c39b; --s3: #e38fc4; --s4: #e6cf4a; --s5: #e7ebf1;
  --h0: #1c2733; --h1: #1f3a52; --h2: #235071; --h3: #2e6a94; --h4: #4f93c0; --h5: #83bbe0;
  --h6: #bfe0f6; --low-ink: #f1f5fa; --high-ink: #0c1420; --hatch: #f1f5fa;`;

const SERIES = [0, 1, 2, 3, 4, 5];
const DASHES = ['none', '7 3', '2 3', '9 3 2 3', '4 2', '12 4'];
const SHADES = [0, 1, 2, 3, 4, 5, 6];

/** Charts, and the small drawings of their legends. */
const IN = ':is(.chart, .mini)';

const series = SERIES.map(
  (at) => `${IN} .s${at} { --own: var(--s${at}); }
${IN} .line.s${at} { stroke-dasharray: ${DASHES[at]}; }`,
).join('\n');

const shades = SHADES.map(
  (at) => `${IN} rect.h${at} { fill: var(--h${at}); }
.swatch.h${at} { background: var(--h${at}); }
.chart text.h${at} { fill: var(--${at < 4 ? 'low' : 'high'}-ink); stroke: var(--h${at}); }`,
).join('\n');

export const STUDY_STYLE = `
:root {${LIGHT}
}
@media screen and (prefers-color-scheme: dark) { :root {${DARK}
} }
.answer, .question { max-width: 62em; }
.answer { font-size: 16px; }
.question { color: var(--muted); }
.verdict table { max-width: none; }
.verdict tbody th { min-width: 9em; }
.verdict .scroll + .scroll { margin-top: 14px; }
.verdict .scroll + .hint { margin-top: 14px; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr));
  gap: 8px 30px; align-items: start; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr));
  gap: 12px 30px; align-items: start; }
.pair > *, .panels > * { min-width: 0; }
.panels + .legend { margin-top: 16px; }
.card > details { margin-top: 12px; }
.legend .mini { flex: none; overflow: visible; }
.swatches { display: inline-flex; }
.swatch { width: 18px; height: 13px; }
${series}
${IN} .line { fill: none; stroke: var(--own, var(--accent)); stroke-width: 2px;
  stroke-linejoin: round; }
${IN} .band { fill: var(--own); opacity: 0.17; }
${IN} .line.mean { stroke: var(--ink); stroke-width: 2.5px; }
${IN} .band.mean { fill: var(--ink); opacity: 0.22; }
${IN} .whisker { fill: none; stroke: var(--own); opacity: 0.75; }
${IN} .whisker.strong { stroke-width: 1.5px; opacity: 1; }
${IN} .dot { fill: var(--own); stroke: var(--own); stroke-width: 1.5px; }
${IN} .dot.refused { fill: var(--card); }
${IN} .ring { fill: none; stroke: var(--ink); stroke-width: 2px; }
${IN} .bound { fill: none; stroke: var(--bad); stroke-dasharray: 6 4; stroke-width: 1.5px; }
.chart .bound-words { fill: var(--bad-ink); paint-order: stroke; stroke: var(--card);
  stroke-width: 4px; font-weight: 600; }
.chart .ground { paint-order: stroke; stroke: var(--card); stroke-width: 4px; }
.chart .strong { font-weight: 600; }
${IN} .open { fill: var(--card); stroke: var(--muted); stroke-width: 1.3px; }
${IN} .speck { fill: var(--accent); opacity: 0.6; }
${IN} .crossed { fill: none; stroke: var(--bad); stroke-width: 1.2px; opacity: 0.75; }
${IN} .front { fill: none; stroke: var(--s0); stroke-width: 1.5px; stroke-dasharray: 5 3; }
${IN} .below { fill: var(--s0); }
${IN} .above { fill: var(--s1); }
${IN} .base { stroke: var(--ink); stroke-width: 1.5px; }
${IN} rect.none { fill: none; stroke: var(--grid); }
${IN} rect.chosen { fill: none; stroke: var(--ink); stroke-width: 3px; }
${IN} .hatch { fill: none; stroke: var(--hatch); stroke-width: 1px; opacity: 0.42; }
${shades}
.chart text[class*="mid h"] { paint-order: stroke; stroke-width: 4px; font-weight: 600; }
@media screen and (min-width: 721px) { .scroll > table.stack { min-width: min-content; } }
@media print {
  .pair { grid-template-columns: 1fr 1fr; }
  .panels { grid-template-columns: 1fr 1fr 1fr; }
  .answer, .question { font-size: 12px; }
  table { font-size: 10.5px; }
  td small, th small, thead th, caption, .hint, .legend { font-size: 9.5px; }
  th, td { padding: 4px 8px 4px 0; }
  .number { white-space: normal; }
  .scroll { overflow: visible; }
  .panels > *, .pair > * { break-inside: avoid; }
}
`;
