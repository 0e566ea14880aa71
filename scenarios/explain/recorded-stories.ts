/** What a run recorded, as stories of a few of its devices are written from it. */

import type { CampaignRow } from '../../core/update-service/campaigns/step-rows.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { readFrames } from '../../core/world/run-stories.ts';
import { type RunStories, rowsIn } from '../../core/world/story-format.ts';
import { DOWNLINK_FATES } from '../../sim/base/counts.ts';
import { RECORDED_FATES } from '../../sim/contract/records.ts';
import { STORY_REFUSALS, STORY_WINDOWS } from '../../sim/network-server/story-frames.ts';
import type { TraceRow } from '../../sim/observation/observer.ts';
import { readFacts, type StoryFact } from '../../sim/observation/stories/facts.ts';
import {
  messageIn,
  readUplinks,
  type StoryUplink,
} from '../../sim/observation/stories/uplink-log.ts';
import { fateName } from '../../sim/radio/uplink-air.ts';
import { ChannelPlan } from '../../sim/spectrum/channel-plan.ts';
import {
  type DeviceRows,
  type EndOfDownlink,
  type GroupFrame,
  NO_ROWS,
  type StoryDownlink,
  type StoryRow,
  type StorySource,
  type WatchedDevice,
} from './device-rows.ts';

/** The same while it is gathered. */
interface Gathered {
  readonly rows: StoryRow[];
  readonly downlinkEnds: EndOfDownlink[];
  readonly downlinks: { readonly frame: StoryDownlink; readonly atUs: number }[];
  beacons: DeviceRows['beacons'];
}

const PURPOSES = ['data', 'join', 'data', 'rejoin'] as const;
const COUNTERS = 0x1_0000;
const GATEWAY_ROWS: ReadonlySet<string> = new Set([
  'gatewayStarts',
  'gatewayRemoved',
  'gatewayFault',
]);

export class RecordedStories implements StorySource {
  readonly #stories: RunStories;
  readonly #byEui = new Map<string, Gathered>();
  /** By row. */
  readonly #byRow = new Map<number, Gathered>();
  readonly groupFrames: GroupFrame[] = [];
  readonly steps: readonly CampaignRow[];
  readonly gatewayRows: StorySource['gatewayRows'];

  constructor(stories: RunStories, { network }: RunPlan, devices: readonly WatchedDevice[]) {
    this.#stories = stories;
    for (const { devEui } of devices) {
      const own: Gathered = { rows: [], downlinkEnds: [], downlinks: [], beacons: undefined };
      this.#byEui.set(devEui, own);
    }
    stories.devEuis.forEach((devEui, row) => {
      const own = this.#byEui.get(devEui);
      if (own !== undefined) this.#byRow.set(row, own);
    });
    this.gatewayRows = (stories.rows as readonly TraceRow[]).filter(({ kind }) =>
      GATEWAY_ROWS.has(kind),
    );
    this.steps = rowsIn(stories.steps, (read) => {
      const devEui = read('devEui' as keyof CampaignRow) as string | undefined;
      return devEui === undefined || this.#byEui.has(devEui);
    });
    this.#readUplinks(new ChannelPlan(network).spreadingFactor);
    for (const fact of readFacts(stories.facts)) this.#take(fact);
    this.#readFrames();
    for (const [row, { firstUs, lastUs, fates }] of stories.beacons) {
      const own = this.#byRow.get(row);
      if (own !== undefined) own.beacons = { firstUs, lastUs, fates };
    }
    for (const { rows } of this.#byEui.values()) rows.sort((a, b) => a.atUs - b.atUs);
  }

  of({ devEui }: WatchedDevice): DeviceRows {
    const own = this.#byEui.get(devEui);
    return own === undefined ? NO_ROWS : { ...own, uplinks: [] };
  }

  #readUplinks(spreadingFactor: readonly number[]): void {
    const { uplinks, messages } = this.#stories;
    for (const uplink of readUplinks(uplinks, messages)) {
      const rows = this.#byRow.get(uplink.device)?.rows;
      if (rows !== undefined) this.#takeUplink(rows, uplink, spreadingFactor[uplink.dataRate]!);
    }
  }

  #takeUplink(rows: StoryRow[], uplink: StoryUplink, spreadingFactor: number): void {
    const { atUs, frame, eirpCentiDbm, message } = uplink;
    const purpose = PURPOSES[uplink.purpose]!;
    const at = { atUs, frame };
    rows.push({ kind: 'uplinkBegins', ...at, purpose, spreadingFactor, eirpCentiDbm, message });
    const gateways = uplink.gateways?.map(({ gateway, fate }) => ({
      gateway: this.#stories.gateways[gateway]!.name,
      fate: fateName(fate),
    }));
    if (gateways !== undefined) rows.push({ kind: 'uplinkEnds', ...at, gateways });
    if (uplink.isCollected) rows.push({ kind: 'uplinkCollected', ...at });
  }

  #take(fact: StoryFact): void {
    const { atUs } = fact;
    if (fact.kind === 'groupFrame') {
      const { mcAddr, counter } = fact;
      this.groupFrames.push({ mcAddr, counter, endsAtUs: atUs });
      return;
    }
    if (fact.kind === 'row') {
      const row = this.#stories.rows[fact.place] as TraceRow;
      if (!('device' in row)) return;
      const place = this.#stories.names.indexOf(row.device);
      this.#byRow.get(place)?.rows.push(row);
      return;
    }
    const own = this.#byRow.get(fact.device);
    if (own === undefined) return;
    if (fact.kind === 'downlink') own.downlinks.push({ frame: this.#downlinkOf(fact), atUs });
    else if (fact.kind === 'downlinkEnds') {
      own.downlinkEnds.push({ atUs, fate: DOWNLINK_FATES[fact.fate]! });
    } else own.rows.push(rowOf(fact));
  }

  #downlinkOf(fact: Extract<StoryFact, { readonly kind: 'downlink' }>): StoryDownlink {
    const { window, gateway, airtimeUs, refusal, messageAt } = fact;
    const message = messageIn(this.#stories.messages, messageAt);
    return {
      type: 'unconfirmedDataDown',
      data: message === undefined ? OF_APPLICATION : { ...message, inClear: true },
      sending:
        window === 0
          ? null
          : {
              gatewayEui: this.#stories.gateways[gateway]!.eui,
              window: STORY_WINDOWS[window - 1]!,
              airtimeUs,
            },
      outcome:
        refusal === 0
          ? { kind: 'sent' }
          : { kind: 'refused', reason: STORY_REFUSALS[refusal - 1]! },
    };
  }

  /** What became of frames of groups at these devices, a row each. */
  #readFrames(): void {
    for (const { group, device, fates } of readFrames(this.#stories)) {
      const own = this.#byRow.get(device);
      if (own === undefined) continue;
      const { mcAddr, first } = this.#stories.groups[group]!;
      const decided = fates();
      for (const frame of this.groupFrames) {
        if (frame.mcAddr !== mcAddr) continue;
        const { endsAtUs: endedAtUs } = frame;
        const fCnt = frame.counter % COUNTERS;
        const fate = RECORDED_FATES[decided[(fCnt - first + COUNTERS) % COUNTERS]! - 1];
        if (fate === undefined) continue;
        const kind = 'multicastDecided';
        own.rows.push({ kind, atUs: endedAtUs, mcAddr, fCnt, endedAtUs, fate });
      }
    }
  }
}

/** On no port of a package, or not to be opened. */
const OF_APPLICATION = { fPort: 1, payload: new Uint8Array(1), inClear: false };

type OfDevice = Exclude<
  StoryFact,
  { readonly kind: 'groupFrame' | 'row' | 'downlink' | 'downlinkEnds' }
>;

function rowOf(fact: OfDevice): StoryRow {
  const { atUs } = fact;
  switch (fact.kind) {
    case 'starts': {
      const activation = fact.isPersonalised === 1 ? 'abp' : 'otaa';
      const { driftPpb } = fact;
      return { kind: 'deviceStarts', atUs, powerOnAtUs: atUs, driftPpb, activation };
    }
    case 'joined':
      return { kind: 'deviceReceives', atUs, purpose: 'join' };
    case 'session': {
      const { mcAddr, opensAtUs, closesAtUs, spreadingFactor, slotsUntilUs } = fact;
      const slots = slotsUntilUs < 0 ? {} : { slots: { untilUs: slotsUntilUs } };
      const session = { mcAddr, opensAtUs, closesAtUs, spreadingFactor, ...slots };
      return { kind: 'multicastSessionOpens', atUs, ...session };
    }
    case 'completed': {
      const { fragment: fragmentNumber } = fact;
      return { kind: 'fragmentTaken', atUs, completes: true, receivedAtUs: atUs, fragmentNumber };
    }
    case 'activated':
      return { kind: 'imageActivated', atUs, fwVersion: fact.fwVersion };
  }
}
