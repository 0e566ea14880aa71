/**
 * Physical truth of devices, which no service knows: what each holds, runs, hears and draws. A
 * test compares with it what the service believes. Asking changes nothing.
 */
import { andThen, ok } from '../../sim/base/result.ts';
import { MILLION } from '../../sim/base/units.ts';
import type {
  BlockTruth,
  DeviceTruth,
  EnergyTruth,
  GroupTruth,
  LinkTruth,
  SessionTruth,
} from '../../sim/contract/truth.ts';
import type { DeviceView } from '../../sim/contract/view.ts';
import { versionHex } from '../base/firmware-versions.ts';
import { formatInstant } from '../base/instant.ts';
import { Pages } from '../base/pages.ts';
import type { OwnView } from '../base/subscribers.ts';
import { declareResource, handlers, type Surroundings, WITHOUT_RECORDS } from '../kit/resource.ts';
import type { Of } from '../rows/fields.ts';
import { byDevEui, knownDevice } from './devices.ts';
import { faultOf } from './faults.ts';
import { OPERATIONS, PAGE_SIZES, type TRUTH } from './ground-truth-rows.ts';

type Told = Of<typeof TRUTH>;

export const truthResource = declareResource({
  name: 'truth',
  permission: 'Simulator',
  failures: { 'truth.page': 'malformed' },
  operations: OPERATIONS,
  make: ({ world }: Pick<Surroundings, 'world'>) => {
    const pages = new Pages(world);
    return {
      handle: handlers(OPERATIONS, {
        'device.truth': ({ devEui }, { view }) =>
          andThen(knownDevice(view, devEui), (device) => ok(toldOf([device], view)[0]!)),
        'device.truths': (asked, { by, view }) => {
          const list = { by, name: 'truths', entries: byDevEui(view), keyOf };
          const page = pages.page(list, asked, PAGE_SIZES, 'truth.page');
          return andThen(page, ({ data, meta }) => ok({ data: toldOf(data, view), meta }));
        },
      }),
      // The network has it all.
      ...WITHOUT_RECORDS,
    };
  },
});

const keyOf = ({ devEui }: DeviceView): string => devEui;

/** One’s devices, in their order. */
function toldOf(devices: readonly DeviceView[], view: OwnView): readonly Told[] {
  const at = (us: number): string => formatInstant(view.unixMs(us));
  const truths = view.deviceTruths(devices.map(keyOf));
  return devices.map((device, i) => oneOf(device, truths[i]!, view, at));
}

function oneOf(device: DeviceView, truth: DeviceTruth, view: OwnView, at: At): Told {
  const { devEui, name, xMeters, yMeters, faults, settings } = device;
  const { deviceClass, activation, session, energy, lastUplink, heardAtUs } = truth;
  return {
    dev_eui: devEui,
    name,
    x_meters: xMeters,
    y_meters: yMeters,
    device_class: deviceClass,
    activation,
    session: session && sessionOf(session),
    clock: clockOf(truth, at),
    firmware: firmwareOf(truth, at),
    fragmentation_sessions: truth.blocks.map((block) => blockOf(block, at)),
    multicast_sessions: truth.groups.map((group) => groupOf(group, at)),
    faults: faults.map((fault) => faultOf(fault, view)),
    settings: settings ?? null,
    energy: energy && energyOf(energy, at),
    links: truth.links.map(linkOf),
    last_uplink: lastUplink && uplinkOf(lastUplink, at),
    last_downlink_at: orNull(heardAtUs, at),
  };
}

/** UTC of an instant of virtual time, µs. */
type At = (us: number) => string;

const orNull = (us: number | null, at: At): string | null => (us === null ? null : at(us));
const hex32 = (word: number): string => word.toString(16).toUpperCase().padStart(8, '0');
const HUNDRED = 100;
const PPB_A_PPM = 1_000;

const channelOf = ({ frequencyHz, dataRate }: Channel) => ({
  frequency_mhz: frequencyHz / MILLION,
  data_rate: dataRate,
});

interface Channel {
  readonly frequencyHz: number;
  readonly dataRate: number;
}

const sessionOf = (session: SessionTruth): NonNullable<Told['session']> => ({
  dev_addr: hex32(session.devAddr),
  lorawan: session.lorawan,
  f_cnt_up: session.fCntUp,
  f_cnt_down: session.fCntDown,
  a_f_cnt_down: session.aFCntDown,
  data_rate: session.dataRate,
  tx_power: session.txPowerIndex,
  nb_trans: session.nbTrans,
  channels: session.channels,
  rx1_delay: session.rx1DelayUs / MILLION,
  rx2: channelOf(session.rx2),
});

const clockOf = ({ clock }: DeviceTruth, at: At): Told['clock'] => ({
  error: clock.errorUs / MILLION,
  drift_ppm: clock.driftPpb / PPB_A_PPM,
  set_at: orNull(clock.setAtUs, at),
});

const firmwareOf = ({ firmware }: DeviceTruth, at: At): Told['firmware'] => ({
  running: versionHex(firmware.version, firmware.hardwareVersion),
  image: firmware.image,
  next:
    firmware.nextVersion === null
      ? null
      : versionHex(firmware.nextVersion, firmware.hardwareVersion),
  reboot_at: orNull(firmware.rebootAtUs, at),
});

const blockOf = (block: BlockTruth, at: At): Told['fragmentation_sessions'][number] => ({
  frag_index: block.fragIndex,
  nb_frag: block.nbFrag,
  frag_size: block.fragSize,
  received: block.received,
  distinct: block.distinct,
  missing: block.missing,
  decoded: block.complete,
  decoded_at: orNull(block.completedAtUs, at),
  mic_error: block.micError,
  memory_error: block.memoryError,
});

const groupOf = (group: GroupTruth, at: At): Told['multicast_sessions'][number] => ({
  mc_group_id: group.mcGroupId,
  mc_addr: hex32(group.mcAddr),
  f_cnt: group.fCnt,
  state: group.session,
  window: group.window && {
    device_class: group.window.deviceClass,
    opens_at: at(group.window.opensAtUs),
    closes_at: at(group.window.closesAtUs),
    ...channelOf(group.window),
  },
});

function energyOf({ aliveUs, diedAtUs, battery, joules }: EnergyTruth, at: At) {
  return {
    alive: aliveUs / MILLION,
    died_at: orNull(diedAtUs, at),
    battery,
    joules: Object.values(joules).reduce((sum, one) => sum + one, 0),
    joules_by_cause: joules,
  };
}

const linkOf = (link: LinkTruth): Told['links'][number] => ({
  gateway_eui: link.gatewayEui,
  up_dbm: link.upCentiDbm / HUNDRED,
  up_snr_db: link.upSnrCentiDb / HUNDRED,
  up_margin_db: link.upMarginCentiDb / HUNDRED,
  down_dbm: link.downCentiDbm / HUNDRED,
  down_margin_db: link.downMarginCentiDb / HUNDRED,
});

function uplinkOf(uplink: NonNullable<DeviceTruth['lastUplink']>, at: At) {
  return {
    began_at: at(uplink.beganAtUs),
    ends_at: at(uplink.endsAtUs),
    on_air: uplink.onAir,
    ...channelOf(uplink),
  };
}
