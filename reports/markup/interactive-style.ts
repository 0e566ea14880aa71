/** The style sheet of what the script of a report shows, beside that of the report. */

/** Eight colours after Okabe and Ito, for series and classes. */
const LIGHT = `--c0: #0072b2; --c1: #e69f00; --c2: #009e73; --c3: #cc79a7; --c4: #56b4e9;
  --c5: #8a6d3b; --c6: #d55e00; --c7: #5b4a99;`;
const DARK = `--c0: #56b4e9; --c1: #e69f00; --c2: #37c39b; --c3: #e29ac4; --c4: #f0e442;
  --c5: #c9a86a; --c6: #f28a3a; --c7: #a99be0;`;

export const INTERACTIVE_STYLE = `
:root { ${LIGHT} }
@media screen and (prefers-color-scheme: dark) { :root { ${DARK} } }
.expected { display: flex; flex-wrap: wrap; gap: 4px 22px; list-style: none; margin: 4px 0 0;
  padding: 0; }
.expected li { overflow-wrap: anywhere; }
.rest { margin: 34px 0 6px; }
#explorer:empty { display: none; }
#explorer figure { margin: 18px 0 0; }
#explorer figcaption p { margin: 2px 0 4px; }
#explorer button, #explorer select, #explorer input { font: inherit; font-size: 14px;
  color: var(--ink); background: var(--card); border: 1px solid var(--axis); border-radius: 6px;
  padding: 3px 9px; min-height: 28px; }
#explorer button { cursor: pointer; }
#explorer button:hover { border-color: var(--accent); }
#explorer :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
#explorer .actions { float: right; display: flex; gap: 6px; align-items: center; }
#explorer .actions button { font-size: 13px; }
#explorer .legend { margin: 2px 0; }
.swatch { flex: none; }
.plot { touch-action: pan-y; cursor: crosshair; border-radius: 6px; }
.plot svg { display: block; }
.chart-foot { display: flex; flex-wrap: wrap-reverse; gap: 0 24px; justify-content: space-between; }
.chart-foot details { flex: none; max-width: 100%; }
.chart-foot details[open] { flex: 1 0 100%; }
.chart-foot .scroll { max-height: 320px; overflow: auto; }
.readout { min-height: 1.5em; margin: 0; font-variant-numeric: tabular-nums; }
.span-bar { position: sticky; top: 0; z-index: 2; background: var(--card); padding: 6px 0;
  border-bottom: 1px solid var(--line); font-weight: 600; }
.filters { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: end; margin: 8px 0; }
.filters label { display: grid; gap: 2px; font-size: 13px; color: var(--muted); }
.filters fieldset { display: contents; }
.filters input[type=number] { width: 7em; }
.filters span { font-weight: 600; }
.map-holder { position: relative; }
.map-holder canvas { display: block; background: var(--ground); border: 1px solid var(--line);
  border-radius: 8px; touch-action: none; cursor: crosshair; }
.cells { display: block; image-rendering: pixelated; }
.map-buttons { position: absolute; top: 10px; right: 10px; display: grid; gap: 4px; }
#explorer .map-buttons button { width: 32px; height: 32px; font-weight: 700; padding: 0; }
.tip { position: absolute; pointer-events: none; background: var(--card); z-index: 3;
  border: 1px solid var(--axis); border-radius: 8px; padding: 6px 10px; font-size: 13px;
  max-width: 260px; }
.device-rows { overflow: auto; border: 1px solid var(--line); border-radius: 8px; }
.device-rows table, .device-rows button { font-size: 14px; }
.device-rows table { border-collapse: separate; border-spacing: 0; }
.device-rows th, .device-rows td { padding: 0 8px; height: 34px; white-space: nowrap;
  vertical-align: middle; overflow-wrap: normal; }
.device-rows thead th { position: sticky; top: 0; background: var(--card); z-index: 1;
  border-bottom: 1px solid var(--line); }
.device-rows td:first-child, .device-rows th:first-child { position: sticky; left: 0;
  background: var(--card); z-index: 1; }
.device-rows thead th:first-child { z-index: 2; }
.device-rows tr.chosen td { background: var(--note); }
#explorer button.link { border: 0; background: none; padding: 0; color: inherit; min-height: 24px;
  text-align: inherit; }
#explorer td button.link { color: var(--accent); text-decoration: underline; }
.story { border: 1px solid var(--line); border-left: 6px solid var(--accent); border-radius: 8px;
  padding: 12px 16px; margin-top: 14px; }
.story h3 { margin-top: 0; }
.story .facts { gap: 8px 28px; margin: 8px 0; }
.verdict-line { font-size: 16px; }
.strip { display: block; width: 100%; height: 20px; }
.story-tables { display: grid; gap: 12px 32px; margin: 10px 0;
  grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); align-items: start; }
.story-tables td { white-space: nowrap; overflow-wrap: normal; }
.story-tables td:first-child { white-space: normal; }
.story-tables td, .story-tables th { padding: 3px 12px 3px 0; font-size: 14px; }
.marks { columns: 2; font-size: 13px; padding-left: 0; list-style: none; }
.beside-runs { display: grid; gap: 12px 28px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); }
.beside-runs > div { min-width: 0; }
.run-label { border-left: 6px solid var(--c0); padding-left: 8px; }
.run-1 { border-color: var(--c1); } .run-2 { border-color: var(--c2); }
.run-3 { border-color: var(--c3); }
@media screen { .interactive .static-only { display: none; } }
@media screen and (max-width: 720px) {
  #explorer .actions { float: none; margin: 4px 0; flex-wrap: wrap; }
  .marks { columns: 1; }
  .story { padding: 10px; }
}
@media print {
  #explorer .actions, .filters, .map-buttons, .span-bar, #explorer details { display: none; }
  #explorer figure { break-inside: avoid; }
  .device-table, .on-screen { display: none; }
}
`;
