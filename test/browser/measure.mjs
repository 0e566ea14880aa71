/**
 * `npm run bench:page -- FILE`: how long a report takes to open in Chromium, and how many frames
 * a second its map has while it is dragged, by the browser's own trace.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';

const [given] = process.argv.slice(2);
if (given === undefined) {
  console.error('npm run bench:page -- FILE: a report.html is missing');
  process.exit(2);
}
const file = resolve(given);
const FRAMES = 120;
const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];

const executablePath = process.env.FLEETWAVE_CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });

/** Notes in the page when its map has been drawn. */
await page.addInitScript(() => {
  const seen = new MutationObserver(() => {
    if (document.querySelector('#explorer canvas') === null) return;
    seen.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => (window.openedMs = performance.now())));
  });
  seen.observe(document, { childList: true, subtree: true });
});
const opened = [];
for (let time = 0; time < 5; time++) {
  await page.goto(`file://${file}`);
  await page.waitForFunction('window.openedMs');
  opened.push(Math.round(await page.evaluate('window.openedMs')));
}

/** Moves the map by a step a frame, as a hand would. */
const drag = (frames) =>
  new Promise((done) => {
    const canvas = document.querySelector('.map-holder canvas');
    canvas.scrollIntoView({ block: 'center' });
    canvas.setPointerCapture = () => {};
    const { left, top } = canvas.getBoundingClientRect();
    const send = (type, x, y) =>
      canvas.dispatchEvent(
        new PointerEvent(type, { bubbles: true, clientX: left + x, clientY: top + y }),
      );
    send('pointerdown', 400, 150);
    let frame = 0;
    const step = () => {
      if (frame === frames) return done(send('pointerup', 400, 150));
      send('pointermove', 400 + (frame % 60) * 4, 150 + (frame % 30) * 3);
      frame++;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });

const session = await browser.newBrowserCDPSession();
const events = [];
session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
const traceConfig = {
  includedCategories: [...CATEGORIES, 'disabled-by-default-devtools.timeline.frame'],
};
await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
await page.evaluate(drag, FRAMES);
const ended = new Promise((done) => session.once('Tracing.tracingComplete', done));
await session.send('Tracing.end');
await ended;
await browser.close();

const drawn = events.filter(({ name }) => name === 'DrawFrame').map(({ ts }) => ts);
drawn.sort((a, b) => a - b);
const seconds = (drawn.at(-1) - drawn[0]) / 1e6;
const main = events.find(({ name, args }) => {
  return name === 'thread_name' && args.name === 'CrRendererMain';
});
const cpu = events
  .filter(({ name, pid, tid }) => /RunTask$/.test(name) && pid === main?.pid && tid === main.tid)
  .reduce((sum, { tdur = 0 }) => sum + tdur / 1000, 0);

opened.sort((a, b) => a - b);
console.log(`${statSync(file).size} bytes`);
console.log(`opened in ${opened.join(', ')} ms; median ${opened[2]} ms`);
console.log(`map: ${((drawn.length - 1) / seconds).toFixed(1)} frames a second, dragged`);
console.log(`     ${(cpu / FRAMES).toFixed(1)} ms of CPU a frame on the main thread`);
