/** The style sheet of the report: light and dark, wide and narrow, screen and paper. */

/** Colours can be distinguished with every common colour blindness (after Okabe and Ito). */
const LIGHT = `
  color-scheme: light;
  --page: #f4f6f8; --card: #ffffff; --ink: #18202c; --muted: #566273; --line: #dfe4ea;
  --grid: #e9edf1; --axis: #b4bdc9; --accent: #0072b2; --area: #c6dff0; --good: #00755a;
  --bad: #d55e00; --bad-ink: #a84300; --track: #e6eaef; --note: #fff3d6; --note-line: #e0a100;
  --d0: #b5261e; --d1: #ec7d27; --d2: #cdb450; --d3: #5aa9d6; --d4: #1f5f9e; --never: #b4bdc9;
  --ground: #fbfcfd;`;

const DARK = `
  color-scheme: dark;
  --page: #0f141b; --card: #171e27; --ink: #e7ebf1; --muted: #9ba8b9; --line: #2b3542;
  --grid: #252e3a; --axis: #4a5767; --accent: #56b4e9; --area: #1d4661; --good: #37c39b;
  --bad: #f28a3a; --bad-ink: #f7a260; --track: #2a3441; --note: #352b12; --note-line: #c08f1a;
  --d0: #ff6a55; --d1: #f5a142; --d2: #e6d58a; --d3: #7cc4ec; --d4: #3f83cc; --never: #556273;
  --ground: #131922;`;

/** Rows of a table as small cards: the heading on top, each figure under its column's name. */
function stacked(table: string): string {
  return `
  ${table} thead { display: none; }
  ${table} tr { display: grid; gap: 4px 16px; padding: 10px 0; border-top: 1px solid var(--line); }
  ${table} tr:first-child { border-top: 0; }
  ${table} th, ${table} td { display: block; border: 0; padding: 0; text-align: left; }
  ${table} th, ${table} .full, ${table} .wide-bar, ${table} .widest-bar {
    grid-column: 1 / -1; width: auto; }
  ${table} td::before { content: attr(data-head); display: block; color: var(--muted);
    font-size: 13px; }`;
}

export const STYLE = `
:root {${LIGHT}
}
@media screen and (prefers-color-scheme: dark) { :root {${DARK}
} }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); line-height: 1.5;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-size: 15px; -webkit-text-size-adjust: 100%; }
main, header, footer { max-width: 1120px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 32px; }
footer { padding-top: 8px; padding-bottom: 40px; color: var(--muted); font-size: 13px; }
h1 { font-size: 30px; line-height: 1.2; letter-spacing: -0.01em; margin: 2px 0 8px; }
h2 { font-size: 18px; line-height: 1.3; margin: 0 0 4px; }
h3 { font-size: 15px; margin: 12px 0 2px; }
p { margin: 0 0 10px; }
h1, p, td, dd, li { overflow-wrap: anywhere; }
.brand { color: var(--accent); font-weight: 600; font-size: 13px; letter-spacing: 0.08em;
  text-transform: uppercase; margin: 0; }
.lead { color: var(--muted); font-size: 17px; max-width: 46em; }
.hint { color: var(--muted); font-size: 13px; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: 0.92em; overflow-wrap: anywhere; }
pre { margin: 8px 0; padding: 12px 14px; border-radius: 8px; background: var(--page);
  border: 1px solid var(--line); white-space: pre-wrap; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: 20px; margin: 16px 0; }
.facts { display: flex; flex-wrap: wrap; gap: 12px 44px; margin: 20px 0 8px; }
.facts dt { color: var(--muted); font-size: 13px; }
.facts dd { margin: 0; font-weight: 600; }
.note { background: var(--note); border: 1px solid var(--note-line); border-radius: 12px;
  padding: 14px 20px; margin: 16px 0; }
.note p:last-child, .note ul { margin-bottom: 0; }
.note ul { margin-top: 4px; padding-left: 20px; }
.verdict { border-left: 6px solid var(--axis); }
.verdict.holds { border-left-color: var(--good); }
.verdict.fails { border-left-color: var(--bad); }
.verdict table { max-width: 720px; }
.sign.holds { color: var(--good); }
.sign.fails { color: var(--bad-ink); }
.sign { font-weight: 700; white-space: nowrap; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(158px, 1fr)); gap: 16px;
  margin: 16px 0; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: 14px 16px; display: grid; grid-row: span 4; grid-template-rows: subgrid; row-gap: 0; }
.tile .value { align-self: end; font-size: 30px; line-height: 40px; font-weight: 650;
  letter-spacing: -0.02em; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
.tile .long { font-size: 22px; }
.tile .name { color: var(--muted); font-size: 13px; }
.bar { display: block; height: 6px; border-radius: 3px; background: var(--track); overflow: hidden;
  margin: 6px 0; min-width: 72px; }
.bar.bad i { background: var(--bad); }
.bar i { display: block; height: 100%; border-radius: 3px; background: var(--accent); }
.split { display: grid; gap: 8px 40px; align-items: start; }
.split > * { min-width: 0; }
.beside { grid-template-columns: 338px 1fr; }
.thirds { grid-template-columns: repeat(auto-fit, minmax(290px, 1fr)); }
.maps { grid-template-columns: minmax(0, 640px) minmax(220px, 1fr); }
.scroll { overflow-x: auto; }
.split + .scroll, .split + details { margin-top: 16px; }
summary { cursor: pointer; color: var(--muted); font-size: 14px; }
summary + .scroll { margin-top: 8px; }
.wide-bar { width: 30%; }
.widest-bar { width: 60%; }
.scroll + .hint { margin-top: 8px; }
.card > :last-child { margin-bottom: 0; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--muted); font-size: 13px; padding-bottom: 4px; }
th, td { text-align: left; padding: 7px 16px 7px 0; border-top: 1px solid var(--line);
  vertical-align: top; font-weight: 400; }
thead th { border-top: 0; color: var(--muted); font-size: 13px; vertical-align: bottom; }
tbody th { min-width: 7.5em; font-weight: 600; overflow-wrap: anywhere; }
th:last-child, td:last-child { padding-right: 0; }
.number { text-align: right; white-space: nowrap; }
td small, th small { display: block; color: var(--muted); font-weight: 400; font-size: 13px; }
.bands { display: grid; grid-template-columns: auto 1fr auto; gap: 2px 10px; align-items: center;
  font-size: 13px; }
.bands .bar { margin: 0; }
.bands span { white-space: nowrap; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 20px; list-style: none; margin: 4px 0 8px;
  padding: 0; font-size: 13px; color: var(--muted); }
.legend li { display: flex; align-items: center; gap: 8px; }
.legend b { color: var(--ink); font-weight: 600; }
.legend.tall { display: grid; gap: 6px; font-size: 14px; align-content: start; }
.key { flex: none; width: 18px; height: 0; border-top: 3px solid var(--accent); }
.key.area { height: 12px; border: 0; background: var(--area); border-radius: 2px; }
.key.received { border-color: var(--good); }
.key.interfered { border-color: var(--bad); border-top-style: dashed; }
.key.dot { width: 12px; height: 12px; border: 0; border-radius: 50%; }
.key.triangle { width: 14px; height: 12px; border: 0; background: var(--ink);
  clip-path: polygon(50% 0, 100% 100%, 0 100%); }
.chart { margin: 4px 0; }
.chart svg { display: block; max-width: 100%; height: auto; overflow: visible; }
.chart text { font-family: inherit; font-size: 12px; fill: var(--muted); }
.chart .mid { text-anchor: middle; }
.chart .end { text-anchor: end; }
.chart .ink { fill: var(--ink); }
.chart .grid { stroke: var(--grid); shape-rendering: crispEdges; }
.chart .axis { stroke: var(--axis); shape-rendering: crispEdges; fill: none; }
.chart .area { fill: var(--area); }
.chart rect.accent { fill: var(--accent); }
.chart rect.bad { fill: var(--bad); }
.chart rect.outage { fill: var(--bad); opacity: 0.16; }
.chart .line { fill: none; stroke-width: 2px; stroke: var(--accent); }
.chart .drop { stroke: var(--muted); stroke-dasharray: 2 3; }
.chart .mark { fill: var(--card); stroke: var(--accent); stroke-width: 2.5px; }
.chart .halo { paint-order: stroke; stroke: var(--area); stroke-width: 4px; fill: var(--ink);
  stroke-linejoin: round; }
.chart .halo tspan { font-weight: 700; }
.chart .line.received { stroke: var(--good); }
.chart .line.interfered { stroke: var(--bad); stroke-dasharray: 5 3; }
.chart .narrow { display: none; }
.map { display: block; width: 100%; height: auto; background: var(--ground); border-radius: 8px;
  border: 1px solid var(--line); }
.map path { fill: none; stroke-linecap: round; stroke-width: 7px; }
.map.dense path { stroke-width: 5px; }
.map .d0 { stroke: var(--d0); } .map .d1 { stroke: var(--d1); } .map .d2 { stroke: var(--d2); }
.map .d3 { stroke: var(--d3); } .map .d4 { stroke: var(--d4); }
.map .never, .map .outside { stroke: var(--never); }
.map .updated { stroke: var(--d4); }
.map .open { stroke: var(--note-line); }
.map .unheard { stroke: var(--d3); }
.map path.failed { stroke: var(--d0); stroke-width: 2.5px; }
.key.d0 { background: var(--d0); } .key.d1 { background: var(--d1); }
.key.d2 { background: var(--d2); } .key.d3 { background: var(--d3); }
.key.d4 { background: var(--d4); } .key.never { background: var(--never); }
.key.updated { background: var(--d4); } .key.outside { background: var(--never); }
.key.open { background: var(--note-line); } .key.unheard { background: var(--d3); }
.key.failed { background: var(--d0); border-radius: 0; clip-path: polygon(20% 0, 50% 30%, 80% 0,
  100% 20%, 70% 50%, 100% 80%, 80% 100%, 50% 70%, 20% 100%, 0 80%, 30% 50%, 0 20%); }
.map text { font-size: 14px; font-weight: 600; fill: var(--ink); paint-order: stroke;
  stroke: var(--ground); stroke-width: 4px; stroke-linejoin: round; }
.map .gateway path { fill: var(--ink); stroke: var(--ground); stroke-width: 2.5px;
  paint-order: stroke; }
.map .names path { stroke: transparent; }
.map .names text { font-weight: 400; font-size: 12px; }
.map .scale path { stroke: var(--ink); stroke-width: 1.5px; stroke-linecap: butt; }
.map .scale text { font-weight: 400; font-size: 13px; }
@media (max-width: 960px) {
  .beside { grid-template-columns: 1fr; }${stacked('.stack.by6')}
  .stack.by6 tr { grid-template-columns: repeat(6, 1fr); }
}
@media screen and (max-width: 720px) {
  main, header, footer { padding-left: 12px; padding-right: 12px; }
  header { padding-top: 20px; }
  h1 { font-size: 25px; }
  .card, .note { padding: 14px 13px; }
  .facts { gap: 10px 28px; }
  .tiles { grid-template-columns: 1fr 1fr; gap: 10px; }
  .tile { padding: 12px 13px; }
  .tile .value { font-size: 25px; }
  .tile .long { font-size: 22px; }
  .tile:last-child:nth-child(odd) { grid-column: 1 / -1; }
  .lead { font-size: 15px; }
  .maps { grid-template-columns: 1fr; }
  .chart .wide { display: none; }
  .chart .narrow { display: block; }
  .map text { font-size: 21px; }
  .map .scale text { font-size: 20px; }
${stacked('.stack')}
  .stack.by2 tr { grid-template-columns: 1fr 1fr; }
  .stack.by3 tr, .stack.by6 tr { grid-template-columns: 1fr 1fr 1fr; }
}
@media print {
  body { background: none; font-size: 12px; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .tile, .note { break-inside: avoid; }
  main, header, footer { max-width: none; padding-left: 0; padding-right: 0; }
  .card, .tile, .note { padding: 12px; }
  .tiles { grid-template-columns: repeat(auto-fit, minmax(100px, 1fr)); gap: 8px; }
  .tile .value { font-size: 20px; line-height: 28px; }
  .tile .long { font-size: 16px; }
  .facts { gap: 8px 28px; }
  .maps { grid-template-columns: 2fr 1fr; }
  .beside { grid-template-columns: 280px 1fr; }
  tr, .chart { break-inside: avoid; }
  h2, h3, caption, .hint, .legend { break-after: avoid; }
}
`;
