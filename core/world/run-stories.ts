/**
 * Stories of a run (docs/decisions/0137): what its recorder has stored of devices, beside what is
 * true of each at the end. What stands in bytes is written and read here.
 */
import { assert } from '../../sim/base/assert.ts';
import { ENERGY_CAUSES } from '../../sim/base/counts.ts';
import { MILLION } from '../../sim/base/units.ts';
import { VarintReader, VarintWriter } from '../../sim/base/varints.ts';
import type { StoryKeeper } from '../../sim/contract/stories.ts';
import type { DeviceGroundTruth } from '../../sim/contract/truth.ts';
import { versionHex } from '../base/firmware-versions.ts';
import type { DeviceState } from '../result/explanation.ts';
import type { CampaignDevice } from '../result/outcome.ts';
import type { CampaignRow } from '../update-service/campaigns/step-rows.ts';
import { type RunStories, STORIES_FORMAT, valueColumns } from './story-format.ts';

/** Of a network that is settled. */
interface Seen {
  /** By row. */
  stations(): RunStories['gateways'];
  deviceGroundTruths(devEuis: readonly string[]): readonly DeviceGroundTruth[];
}

/** Undefined where the recorder has no stories, or lacks something. */
export function storiesOf(
  { stories, groups }: StoryKeeper,
  network: Seen,
  { digest, outcomes }: { readonly digest: string; readonly outcomes: Iterable<CampaignDevice> },
): RunStories | undefined {
  if (stories === undefined || !stories.isWhole) return undefined;
  const { names, devEuis, rows } = stories;
  const gateways = network.stations();
  return {
    format: STORIES_FORMAT,
    digest,
    names,
    devEuis,
    gateways,
    rows,
    beacons: [...stories.beacons],
    gatewayStories: [...stories.gateways],
    groups: [...groups.values()].map(({ mcAddr, first }) => ({ mcAddr, first })),
    steps: valueColumns(stories.steps as readonly CampaignRow[]),
    outcomes: valueColumns([...outcomes]),
    ...stories.written(),
    frames: writtenFrames([...groups.values()].map(({ cells }) => cells)),
    states: writtenStates(network.deviceGroundTruths([...new Set(devEuis)]), gateways),
  };
}

// ── frames of groups ─────────────────────────────────────────────────────────────────────────────

/** A byte is a fate in its lower half, and one less than the frames that it holds for. */
const RUN_MOST = 16;

function writtenFrames(groups: readonly (readonly (Uint8Array | undefined)[])[]): Uint8Array {
  const writer = new VarintWriter();
  const runs = new Uint8Array(0x1_0000);
  for (const [group, all] of groups.entries()) {
    all.forEach((cells, device) => {
      if (cells === undefined) return;
      let length = 0;
      for (let at = 0; at < cells.length; ) {
        const fate = cells[at]!;
        let until = at + 1;
        while (until < cells.length && until - at < RUN_MOST && cells[until] === fate) until++;
        runs[length++] = fate | ((until - at - 1) << 4);
        at = until;
      }
      writer.unsigned(group);
      writer.unsigned(device);
      writer.unsigned(length);
      writer.bytes(runs.subarray(0, length));
    });
  }
  return writer.taken();
}

/** Numbers of the fates of a group's frames at a device, from the group's first. */
export interface FrameFates {
  readonly group: number;
  readonly device: number;
  fates(): readonly number[];
}

export function* readFrames({ frames }: Pick<RunStories, 'frames'>): Generator<FrameFates> {
  const reader = new VarintReader(frames);
  while (!reader.isAtEnd) {
    const group = reader.unsigned();
    const device = reader.unsigned();
    const runs = reader.bytes(reader.unsigned());
    const fates = () =>
      Array.from(runs).flatMap((run) => Array<number>((run >> 4) + 1).fill(run & 15));
    yield { group, device, fates };
  }
}

// ── states ───────────────────────────────────────────────────────────────────────────────────────

const CLASSES = ['A', 'B', 'C'] as const;
const ACTIVATIONS = ['none', 'joining', 'active'] as const;
/** Something is there, or is none. */
const ONE = 1;

function writtenStates(
  all: readonly DeviceGroundTruth[],
  gateways: RunStories['gateways'],
): Uint8Array {
  const writer = new VarintWriter();
  // A gateway that moved has the EUI in two rows: both have its name.
  const rowOf = new Map(gateways.map(({ eui }, row) => [eui, row]));
  const doubles = new Float64Array(ENERGY_CAUSES.length);
  const bytes = new Uint8Array(doubles.buffer);
  for (const one of all) {
    const { session, clock, firmware, energy, links } = one;
    const block = one.blocks.at(-1);
    writer.bytes(textBytes(one.devEui));
    writer.unsigned(CLASSES.indexOf(one.deviceClass));
    writer.unsigned(ACTIVATIONS.indexOf(one.activation));
    writer.unsigned(session === null ? 0 : ONE + session.dataRate);
    writer.unsigned(session === null ? 0 : ONE + session.txPowerIndex);
    writer.unsigned(clock.setAtUs === null ? 0 : ONE);
    writer.signed(clock.setAtUs === null ? 0 : clock.errorUs);
    writer.signed(clock.driftPpb);
    writer.unsigned(firmware.version);
    writer.unsigned(firmware.hardwareVersion);
    writer.unsigned(block === undefined ? 0 : ONE);
    writer.unsigned(block?.distinct ?? 0);
    writer.unsigned(block?.nbFrag ?? 0);
    writer.unsigned(links.length);
    for (const link of links) {
      writer.unsigned(rowOf.get(link.gatewayEui)!);
      writer.signed(link.upMarginCentiDb);
      writer.signed(link.downMarginCentiDb);
      writer.signed(link.downCentiDbm);
    }
    writer.unsigned(energy === null ? 0 : ONE);
    if (energy === null) continue;
    ENERGY_CAUSES.forEach((cause, at) => {
      doubles[at] = energy.joules[cause];
    });
    writer.bytes(bytes);
  }
  return writer.taken();
}

const EUI_DIGITS = 16;
const textBytes = (text: string): Uint8Array =>
  Uint8Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

/** A device with its state, whose links have EUIs of gateways, and their levels down. */
export interface StoredState {
  readonly devEui: string;
  readonly state: DeviceState;
  /** dBm, in the order of its links. */
  readonly downDbm: readonly number[];
}

const HUNDRED = 100;
const PPB_A_PPM = 1_000;

/** Of all devices that were in the network at the end. */
export function* readStates({
  states,
  gateways,
}: Pick<RunStories, 'states' | 'gateways'>): Generator<StoredState> {
  const reader = new VarintReader(states);
  while (!reader.isAtEnd) {
    const devEui = String.fromCharCode(...reader.bytes(EUI_DIGITS));
    const deviceClass = CLASSES[reader.unsigned()];
    const activation = ACTIVATIONS[reader.unsigned()];
    assert(deviceClass !== undefined && activation !== undefined, 'a state is of a known kind');
    const [dataRate, txPower] = [reader.unsigned() - ONE, reader.unsigned() - ONE];
    const isSet = reader.unsigned() === ONE;
    const errorUs = reader.signed();
    const driftPpm = reader.signed() / PPB_A_PPM;
    const version = versionHex(reader.unsigned(), reader.unsigned());
    const hasBlock = reader.unsigned() === ONE;
    const block = { held: reader.unsigned(), needed: reader.unsigned() };
    const downDbm: number[] = [];
    const links = Array.from({ length: reader.unsigned() }, () => {
      const gateway = gateways[reader.unsigned()]!.eui;
      const upMarginDb = reader.signed() / HUNDRED;
      const downMarginDb = reader.signed() / HUNDRED;
      downDbm.push(reader.signed() / HUNDRED);
      return { gateway, upMarginDb, downMarginDb };
    });
    const state: DeviceState = {
      deviceClass,
      activation,
      dataRate: dataRate < 0 ? null : dataRate,
      txPowerIndex: txPower < 0 ? null : txPower,
      clockErrorSeconds: isSet ? errorUs / MILLION : null,
      driftPpm,
      version,
      fragments: hasBlock ? block : null,
      links,
      joules: reader.unsigned() === ONE ? joulesIn(reader) : null,
    };
    yield { devEui, state, downDbm };
  }
}

function joulesIn(reader: VarintReader): NonNullable<DeviceState['joules']> {
  // Numbers of eight bytes begin at a multiple of eight.
  const copy = new Uint8Array(reader.bytes(8 * ENERGY_CAUSES.length));
  const doubles = new Float64Array(copy.buffer);
  return Object.fromEntries(ENERGY_CAUSES.map((cause, at) => [cause, doubles[at]!]));
}
