/** The report of a run, opened as a file in Chromium. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launch, open } from './chromium.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = join(ROOT, 'dist/fleetwave.js');
const SCENARIO = 'scenarios/library/campaigns/too-little-redundancy.yaml';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const folder = mkdtempSync(join(tmpdir(), 'fleetwave-browser-'));
const at = (path: string): string => join(folder, path);
let browser: Browser;

function fleetwave(...words: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0 && status !== 1) throw new Error(stderr);
}

const onBrowser = describe.skipIf(!hasChromium);

beforeAll(async () => {
  if (!hasChromium) return;
  fleetwave('run', SCENARIO, '--out', at('few'), '--quiet');
  fleetwave('run', SCENARIO, '--set', 'campaigns.0.redundancy=46%', '--out', at('many'), '--quiet');
  fleetwave('report', at('few'), at('many'), '--out', at('both.html'));
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const report = (name = 'few'): string => at(`${name}/report.html`);

const rowsOf = (page: Page): Promise<number> =>
  page.locator('.device-rows table').first().getAttribute('aria-rowcount').then(Number);

async function seriousFindings(page: Page): Promise<string[]> {
  // The page's policy lets no other script run: the checker is put beside it by the debugger.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  }>('axe.run(document)');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

onBrowser('the page of a run', () => {
  it('opens from a file, complains of nothing, and asks for nothing else', async () => {
    const { page, complaints, requests } = await open(browser, report());
    await page.waitForTimeout(200);
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => !url.startsWith('data:'))).toEqual([`file://${report()}`]);
    await expect.poll(() => page.locator('#explorer canvas').count()).toBe(2);
    await page.context().close();
  });

  it('reaches out to nobody, and runs no other script', async () => {
    const { page, complaints } = await open(browser, report());
    const fetched = await page.evaluate(`fetch('https://example.com/').then(() => 'sent', String)`);
    expect(fetched).toContain('TypeError');
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.wasRun = true';
      document.body.append(script);
      const image = document.createElement('img');
      image.src = 'https://example.com/a.png';
      image.setAttribute('onerror', 'window.wasRun = true');
      document.body.append(image);
    });
    await page.waitForTimeout(200);
    expect(await page.evaluate('window.wasRun')).toBeUndefined();
    expect(complaints.join('\n')).toMatch(/Content Security Policy/);
    await page.context().close();
  });
});

onBrowser('the devices of a page', () => {
  it('are found by name and by a part of their DevEUI', async () => {
    const { page } = await open(browser, report());
    await expect.poll(() => rowsOf(page)).toBe(101);
    await page.getByLabel('Search').fill('meter-42');
    await expect.poll(() => rowsOf(page)).toBe(2);
    await page.getByLabel('Search').fill('00:00:2A');
    await expect.poll(() => rowsOf(page)).toBe(2);
    await expect
      .poll(() => page.locator('.device-rows td button').first().textContent())
      .toBe('meter-42');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => rowsOf(page)).toBe(101);
    await page.context().close();
  });

  it('are sorted by a column, and shown far below when they are scrolled to', async () => {
    const { page } = await open(browser, report());
    await page.locator('.device-rows').getByRole('button', { name: 'Fragments missing' }).click();
    const missing = page.locator('.device-rows tbody tr td:nth-child(6)');
    const first = Number(await missing.first().textContent());
    expect(first).toBeGreaterThanOrEqual(Number(await missing.nth(5).textContent()));
    await expect.poll(() => page.locator('.device-rows tbody tr').count()).toBeLessThan(40);
    await page.locator('.device-rows').evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await expect.poll(() => page.locator('.device-rows tr[aria-rowindex="101"]').count()).toBe(1);
    await page.context().close();
  });

  it('have a story that opens from the table, and says why one failed', async () => {
    const { page } = await open(browser, report());
    await page.getByRole('button', { name: 'meter-7', exact: true }).click();
    const story = page.locator('.story');
    await expect.poll(() => story.textContent()).toMatch(/Missing fragments: .* are missing; /);
    await expect.poll(() => story.locator('.strip rect').count()).toBeGreaterThan(80);
    await expect.poll(() => story.textContent()).toMatch(/Data rate and power.*RX1.*Stated loss/s);
    await page.context().close();
  });

  it('have a story that opens by a click on the map', async () => {
    const { page } = await open(browser, report());
    await page.getByLabel('Search').fill('meter-9');
    const canvas = page.locator('.map-holder canvas');
    await canvas.scrollIntoViewIfNeeded();
    const point = await canvas.evaluate((element) => {
      const { width, height } = element as HTMLCanvasElement;
      const image = (element as HTMLCanvasElement)
        .getContext('2d')!
        .getImageData(0, 0, width, height);
      for (let place = 0; place < image.data.length; place += 4) {
        const [red, green, blue] = image.data.subarray(place, place + 3);
        const isDot = red! > 150 && green! < 80 && blue! < 80;
        const [x, y] = [(place / 4) % width, Math.floor(place / 4 / width)];
        if (isDot) return { x, y: y + 3 };
      }
      return undefined;
    });
    await canvas.click({ position: point! });
    await expect.poll(() => page.locator('.story h3').textContent()).toMatch(/^meter-9/);
    await page.context().close();
  });
});

onBrowser('the shared time axis', () => {
  it('has a cursor that arrow keys move in all charts, and announces the values', async () => {
    const { page } = await open(browser, report());
    const sliders = page.getByRole('slider');
    await sliders.first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const said = await sliders.first().getAttribute('aria-valuetext');
    expect(said).toMatch(/^\d\d:\d\d(:\d\d)?: sent \d+, received \d+/);
    const now = await sliders.first().getAttribute('aria-valuenow');
    await expect.poll(() => sliders.nth(1).getAttribute('aria-valuenow')).toBe(now);
    await page.keyboard.press('Escape');
    await expect
      .poll(() => sliders.first().getAttribute('aria-valuetext'))
      .toBe('no instant is chosen');
    await page.context().close();
  });

  it('selects a span by a drag, which everything else follows', async () => {
    const { page } = await open(browser, report());
    const plot = page.locator('.plot').first();
    await plot.scrollIntoViewIfNeeded();
    const legend = page.locator('#explorer .legend').filter({ hasText: 'received' }).first();
    const whole = await legend.textContent();
    const box = (await plot.boundingBox())!;
    await page.mouse.move(box.x + 300, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 600, box.y + 70, { steps: 5 });
    await page.mouse.up();
    await expect
      .poll(() => page.locator('.span-bar').textContent())
      .toMatch(/^\d\d:\d\d.* to \d\d:\d\d/);
    await expect
      .poll(() => page.locator('.plot .shade').count())
      .toBe(await page.locator('.plot').count());
    await expect.poll(() => legend.textContent()).not.toBe(whole);
    await expect
      .poll(() => page.locator('#explorer').textContent())
      .toContain('of the span that is selected');
    await page.getByRole('button', { name: 'Whole run' }).click();
    await expect.poll(() => legend.textContent()).toBe(whole);
    await page.context().close();
  });
});

onBrowser('the address of a page', () => {
  it('has the instant and the selection, and leads back to both', async () => {
    const { page } = await open(browser, report());
    await page.getByRole('button', { name: 'meter-7', exact: true }).click();
    await page.getByRole('slider').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+PageUp');
    await expect.poll(() => new URL(page.url()).hash).toMatch(/span=\d+-\d+.*device=[0-9A-F]{16}/);
    const { hash } = new URL(page.url());
    const text = await page.locator('.span-bar').textContent();
    const again = await open(browser, report(), { fragment: hash });
    await expect.poll(() => again.page.locator('.story h3').textContent()).toMatch(/^meter-7/);
    await expect.poll(() => again.page.locator('.span-bar').textContent()).toBe(text);
    await page.context().close();
    await again.page.context().close();
  });

  it('changes nothing where it is not right', async () => {
    const fragment = '#span=9-3&at=x&colour=none&device=<img src=x onerror=alert(1)>&sort=zzz';
    const { page, complaints } = await open(browser, report(), { fragment });
    await expect.poll(() => page.locator('.span-bar').textContent()).toBe('The whole run');
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

onBrowser('the data of a chart', () => {
  it('is had as CSV, as a table, and as a drawing in SVG', async () => {
    const { page } = await open(browser, report());
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Uplink frames: data as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('uplink-frames.csv');
    const csv = readFileSync((await download.path())!, 'utf8');
    expect(csv.split('\r\n')[0]).toMatch(/^"?from, s"?,"?until, s"?,"?sent, /);
    expect(csv.trimEnd().split('\r\n')).toHaveLength(97);
    await page.getByText('Uplink frames as a table').click();
    await expect.poll(() => page.locator('.chart-foot table tbody tr').count()).toBe(96);
    const saved = page.waitForEvent('download').then((file) => file.path());
    await page.context().grantPermissions([]);
    await page.getByRole('button', { name: 'Uplink frames: copy as SVG' }).click();
    const svg = readFileSync((await saved)!, 'utf8');
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(svg).not.toContain('var(');
    await page.context().close();
  });
});

onBrowser('several runs on one page', () => {
  it('stand side by side, what differs first, and a device is chosen in all of them', async () => {
    const { page, complaints } = await open(browser, at('both.html'));
    await expect
      .poll(() => page.locator('main h2').first().textContent())
      .toMatch(/^What differs: \d+/);
    await expect.poll(() => page.locator('.map-holder canvas').count()).toBe(2);
    await page.getByRole('button', { name: 'meter-7', exact: true }).first().click();
    await expect.poll(() => page.locator('.story').count()).toBe(2);
    await expect
      .poll(() => page.locator('.story').nth(0).textContent())
      .toContain('Missing fragments');
    await expect
      .poll(() => page.locator('.story').nth(1).textContent())
      .toContain('has confirmed it');
    const buttons = page.getByRole('button', { name: 'Nearer' });
    await buttons.first().click();
    const scales = await page.locator('.plot').count();
    expect(scales % 2).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

onBrowser('a page without its script', () => {
  it('has the first screen and all tables, and nothing that waits for a script', async () => {
    const { page } = await open(browser, report(), { hasScripts: false });
    await expect.poll(() => page.locator('.expected li').count()).toBe(2);
    await expect.poll(() => page.locator('.tiles').first().locator('.tile').count()).toBe(5);
    await expect
      .poll(() => page.locator('main').textContent())
      .toContain('would do for nine in ten of them');
    await expect.poll(() => page.locator('#explorer').isVisible()).toBe(false);
    await expect.poll(() => page.locator('svg.map').first().isVisible()).toBe(true);
    await expect.poll(() => page.locator('table:visible').count()).toBeGreaterThan(8);
    await page.context().close();
  });

  it('is printed on A4', async () => {
    const { page } = await open(browser, report());
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.startsWith('%PDF-')).toBe(true);
    expect(pdf.match(/\/Type\s*\/Page\b/g)!.length).toBeLessThan(20);
    expect(pdf).toMatch(/MediaBox \[0 0 59\d(\.\d+)? 84\d(\.\d+)?\]/);
    await page.context().close();
  });
});

onBrowser('accessibility', () => {
  const cases = [
    { path: () => report(), isDark: false, width: 1280 },
    { path: () => report(), isDark: true, width: 390 },
    { path: () => at('both.html'), isDark: false, width: 1280 },
  ];
  it.each(cases)('has no serious finding ($isDark, $width pixels)', async ({ path, ...how }) => {
    const { page } = await open(browser, path(), how);
    await page.getByRole('button', { name: 'meter-7', exact: true }).first().click();
    await page.getByRole('slider').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('Uplink frames as a table').first().click();
    expect(await seriousFindings(page)).toEqual([]);
    await page.context().close();
  });
});

// ── what is wrong ────────────────────────────────────────────────────────────────────────────────

const HOSTILE = '</script><img src=x onerror="alert(1)"><b>&amp;"\'`';

/** A copy of the run whose result and columns have this text in every name. */
function hostileRun(): string {
  const path = at('hostile');
  cpSync(at('few'), path, { recursive: true });
  const result = JSON.parse(readFileSync(join(path, 'result.json'), 'utf8'));
  result.scenario = { name: HOSTILE, description: HOSTILE };
  for (const gateway of result.gateways) gateway.name = HOSTILE;
  for (const campaign of result.campaigns) campaign.name = HOSTILE;
  for (const series of result.budgets.dutyCycle) series.gateway = HOSTILE;
  writeFileSync(join(path, 'result.json'), JSON.stringify(result));
  const file = join(path, 'columns.json.gz');
  const columns = JSON.parse(gunzipSync(readFileSync(file)).toString());
  columns.devices.names = columns.devices.names.map((_: string, i: number) => `${HOSTILE}${i}`);
  columns.devices.populations = [HOSTILE];
  columns.campaigns[0].name = HOSTILE;
  columns.campaigns[0].diagnoses = columns.campaigns[0].diagnoses.map(() => HOSTILE);
  columns.marks = [{ atSeconds: 60, operation: HOSTILE, what: HOSTILE, times: 1 }];
  writeFileSync(file, gzipSync(JSON.stringify(columns)));
  fleetwave('report', path);
  return join(path, 'report.html');
}

onBrowser('a page of what is wrong', () => {
  it('shows hostile names as they are, and runs nothing of them', async () => {
    const { page, complaints } = await open(browser, hostileRun());
    await page.getByText('entries as a list').click();
    await page.locator('.device-rows td button').first().click();
    await page.mouse.move(640, 450);
    await expect.poll(() => page.locator('.story h3').textContent()).toContain(HOSTILE);
    await expect.poll(() => page.locator('h1').textContent()).toBe(HOSTILE);
    await expect.poll(() => page.locator('img').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('says that columns are missing, and shows what there is', async () => {
    const path = at('bare');
    cpSync(at('few'), path, { recursive: true });
    rmSync(join(path, 'columns.json.gz'));
    fleetwave('report', path);
    const { page, complaints } = await open(browser, join(path, 'report.html'));
    await expect
      .poll(() => page.locator('#explorer .note').textContent())
      .toContain('nothing was recorded');
    await expect.poll(() => page.locator('.plot').count()).toBeGreaterThan(3);
    await expect.poll(() => page.locator('svg.map').first().isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('says that its data is damaged, and leaves the rest of the page as it is', async () => {
    const path = at('damaged.html');
    const text = readFileSync(report(), 'utf8');
    writeFileSync(path, text.replace(/(class="run">.{400}).{300}/, '$1'));
    const { page } = await open(browser, path);
    await expect
      .poll(() => page.locator('#explorer .note').textContent())
      .toContain('cannot be read');
    await expect.poll(() => page.locator('svg.map').first().isVisible()).toBe(true);
    await page.context().close();
  });
});
