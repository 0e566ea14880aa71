/**
 * Physical truth of devices, which no service knows: what each holds, runs, hears and draws. A
 * test compares with it what the service believes. Asking changes nothing.
 */
import { andThen, ok } from '../../sim/base/result.ts';
import type { Of } from '../../sim/base/rows/fields.ts';
import { MILLION } from '../../sim/base/units.ts';
import type {
  BlockGroundTruth,
  DeviceGroundTruth,
  EnergyGroundTruth,
  GroupGroundTruth,
  LinkGroundTruth,
  SessionGroundTruth,
} from '../../sim/contract/truth.ts';
import type { DeviceView } from '../../sim/contract/view.ts';
import { versionHex } from '../base/firmware-versions.ts';
import { formatInstant } from '../base/instant.ts';
import { Pages } from '../base/pages.ts';
import type { OwnView } from '../base/subscribers.ts';
import { declareResource, handlers, type Surroundings, WITHOUT_RECORDS } from '../kit/resource.ts';
import { byDevEui, knownDevice } from './devices.ts';
import { faultOf } from './faults.ts';
import { type GROUND_TRUTH, OPERATIONS, PAGE_SIZES } from './ground-truth-rows.ts';

type Response = Of<typeof GROUND_TRUTH>;

export const groundTruthResource = declareResource({
  name: 'truth',
  is: 'State of devices that no platform can see.',
  permission: 'Simulator',
  failures: { 'truth.page': 'malformed' },
  operations: OPERATIONS,
  make: ({ world }: Pick<Surroundings, 'world'>) => {
    const pages = new Pages(world);
    return {
      handle: handlers(OPERATIONS, {
        'device.truth': ({ devEui }, { view }) =>
          andThen(knownDevice(view, devEui), (device) => ok(responseOf([device], view)[0]!)),
        'device.truths': (asked, { by, view }) => {
          const list = { by, name: 'truths', entries: byDevEui(view), keyOf };
          const page = pages.page(list, asked, PAGE_SIZES, 'truth.page');
          return andThen(page, ({ data, meta }) => ok({ data: responseOf(data, view), meta }));
        },
      }),
      // The network has it all.
      ...WITHOUT_RECORDS,
    };
  },
});

const keyOf = ({ devEui }: DeviceView): string => devEui;

/** One’s devices, in their order. */
function responseOf(devices: readonly DeviceView[], view: OwnView): readonly Response[] {
  const at = (us: number): string => formatInstant(view.unixMs(us));
  const groundTruths = view.deviceGroundTruths(devices.map(keyOf));
  return devices.map((device, i) => oneOf(device, groundTruths[i]!, view, at));
}

function oneOf(
  device: DeviceView,
  groundTruth: DeviceGroundTruth,
  view: OwnView,
  at: At,
): Response {
  const { devEui, name, xMeters, yMeters, faults, settings } = device;
  const { deviceClass, activation, session, energy, lastUplink, heardAtUs } = groundTruth;
  return {
    dev_eui: devEui,
    name,
    x_meters: xMeters,
    y_meters: yMeters,
    device_class: deviceClass,
    activation,
    session: session && sessionOf(session),
    clock: clockOf(groundTruth, at),
    firmware: firmwareOf(groundTruth, at),
    fragmentation_sessions: groundTruth.blocks.map((block) => blockOf(block, at)),
    multicast_sessions: groundTruth.groups.map((group) => groupOf(group, at)),
    faults: faults.map((fault) => faultOf(fault, view)),
    settings: settings ?? null,
    energy: energy && energyOf(energy, at),
    links: groundTruth.links.map(linkOf),
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

const sessionOf = (session: SessionGroundTruth): NonNullable<Response['session']> => ({
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

const clockOf = ({ clock }: DeviceGroundTruth, at: At): Response['clock'] => ({
  error: clock.errorUs / MILLION,
  drift_ppm: clock.driftPpb / PPB_A_PPM,
  set_at: orNull(clock.setAtUs, at),
});

const firmwareOf = ({ firmware }: DeviceGroundTruth, at: At): Response['firmware'] => ({
  running: versionHex(firmware.version, firmware.hardwareVersion),
  image: firmware.image,
  next:
    firmware.nextVersion === null
      ? null
      : versionHex(firmware.nextVersion, firmware.hardwareVersion),
  reboot_at: orNull(firmware.rebootAtUs, at),
});

const blockOf = (block: BlockGroundTruth, at: At): Response['fragmentation_sessions'][number] => ({
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

const groupOf = (group: GroupGroundTruth, at: At): Response['multicast_sessions'][number] => ({
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

function energyOf({ aliveUs, diedAtUs, battery, joules }: EnergyGroundTruth, at: At) {
  return {
    alive: aliveUs / MILLION,
    died_at: orNull(diedAtUs, at),
    battery,
    joules: Object.values(joules).reduce((sum, one) => sum + one, 0),
    joules_by_cause: joules,
  };
}

const linkOf = (link: LinkGroundTruth): Response['links'][number] => ({
  gateway_eui: link.gatewayEui,
  up_dbm: link.upCentiDbm / HUNDRED,
  up_snr_db: link.upSnrCentiDb / HUNDRED,
  up_margin_db: link.upMarginCentiDb / HUNDRED,
  down_dbm: link.downCentiDbm / HUNDRED,
  down_margin_db: link.downMarginCentiDb / HUNDRED,
});

function uplinkOf(uplink: NonNullable<DeviceGroundTruth['lastUplink']>, at: At) {
  return {
    began_at: at(uplink.beganAtUs),
    ends_at: at(uplink.endsAtUs),
    on_air: uplink.onAir,
    ...channelOf(uplink),
  };
}
