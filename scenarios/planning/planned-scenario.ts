/** The scenario file that a plan corresponds to: what `--verify` runs, and `--write` writes. */
import { HOUR_US, MINUTE_US, SECOND_US } from '../../sim/base/units.ts';
import { inWords } from '../forecast/forecast.ts';
import { CHIP } from './energy.ts';
import { type Estimate, LONGEST_SET_UP_US, MESSAGE_BYTES } from './estimate.ts';
import type { Settled } from './resolved-settings.ts';

/** Why a plan is none that a scenario file can say; undefined: it can. */
export function notWritten({ setUp, redundancy, settled }: Estimate): string | undefined {
  const { nbFrag } = settled;
  if (setUp.totalUs > LONGEST_SET_UP_US) {
    return `the set-up takes ${inWords(setUp.totalUs)}, and a campaign waits 30 d at most`;
  }
  if (redundancy > nbFrag) {
    const more = `${redundancy} coded fragments are more than the ${nbFrag} of the image`;
    return `${more}, and a campaign has no more`;
  }
  return undefined;
}

/** Words of the plan, for the head of the file: the command line that it was made with. */
export function plannedScenario(one: Estimate, createdWith: string): string {
  const { settled, setUp } = one;
  const { devices, gateways, periodUs } = settled;
  const startUs = Math.ceil((periodUs + 10 * MINUTE_US) / MINUTE_US) * MINUTE_US;
  const endUs = startUs + one.confirmedAfterUs;
  const durationUs = Math.ceil((endUs + 3 * periodUs + HOUR_US) / HOUR_US) * HOUR_US;
  return `# ${createdWith}
#
# About ${inWords(one.heldAfterUs)} from the campaign’s start until the last fragment is sent; \
${percent(one.holding)} of the devices
# then have the image. Nine in ten of them have confirmed it after ${inWords(one.confirmedAfterUs)}.
# Try:  --set campaigns.planned.redundancy="0 %"

scenario: planned
description: ${devices} devices, ${settled.imageBytes} bytes at DR${settled.rate.index}, as planned.
region: ${settled.plan.name}
duration: ${exactly(durationUs)}
frames: counted # encryption is skipped, every outcome is the same
${channelsOf(settled)}
# Each gateway has devices of its own, near enough: what is lost is said below.
area: { radius: ${RADIUS_M} m }
radio: { shadowing: 0 dB }
gateways:
  - name: gateway
    count: ${gateways}
    placement: [${places(gateways).map(pointOf).join(', ')}]${gpsOf(settled)}

devices:
${populations(settled)}
server: { rx2DataRate: DR${settled.rx2.index}, adr: false }

images:
  - { name: planned-2.0.0.bin, bytes: ${settled.imageBytes} B }

groups:
  - { name: all, devices: all }

campaigns:
  - name: planned
    image: planned-2.0.0.bin
    group: all
    at: ${exactly(startUs)}
    multicastDataRate: DR${settled.rate.index}
${frequencyOf(settled)}    frag_size: ${settled.fragSize} B # ${settled.nbFrag} fragments
    redundancy: ${redundancyShare(one)} # ${one.redundancy} coded fragments
    multicast_setup_time: ${setUp.totalUs / SECOND_US} s # ${setUp.uplinks} uplinks each, commands
    min_downlink_delay: 1 s # a device that answers at once hears the next command
${paceOf(one)}${sessionRows(settled)}
expectations:
  - planned.runsIt >= ${expected(one)}
`;
}

function channelsOf({ plan }: Settled): string {
  const isFixed = plan.channelMask !== 'bank16';
  return isFixed ? 'channels: [{ subBand: 1 }]\n' : '';
}

const gpsOf = ({ session }: Settled): string =>
  session === 'B' ? '\n    gps: true # class B takes the time from it' : '';

const message = ({ uplink }: Settled): number => Math.min(MESSAGE_BYTES, uplink.payloadBytes);

/** From its gateway to a device at most, m; no signal comes so far as the next gateway is. */
const RADIUS_M = 1_000;
const APART_M = 40_000;

interface Place {
  readonly east: number;
  readonly north: number;
}

/** In rows of about as many as there are rows. */
function places(count: number): readonly Place[] {
  const columns = Math.ceil(Math.sqrt(count));
  return Array.from({ length: count }, (_, at) => ({
    east: APART_M * (at % columns),
    north: APART_M * Math.floor(at / columns),
  }));
}

const pointOf = ({ east, north }: Place): string => `[${east} m, ${north} m]`;

/** One around each gateway; those after the first differ from it in name, number and place. */
function populations(settled: Settled): string {
  const { devices, gateways, periodUs, loss, uplink } = settled;
  const rows = places(gateways).map((place, at) => {
    const count = Math.floor((devices + at) / gateways);
    const placement = `{ disc: ${RADIUS_M} m, centre: ${pointOf(place)} }`;
    return { name: `near-${at + 1}`, count, placement };
  });
  const [first, ...others] = rows;
  const { name, count, placement } = first!;
  const anchor = others.length > 0 ? '&device\n    ' : '';
  const common = `  - ${anchor}name: ${others.length > 0 ? name : 'device'}
    count: ${count}
    placement: ${placement}
    activation: abp
    adr: false
    dataRate: DR${uplink.index}
    joinWithin: ${exactly(periodUs)} # they speak one after the other
    traffic: { every: ${exactly(periodUs)}, payload: ${message(settled)} B }
    frameLoss: ${percent(loss)} # of frames, each way
    energy: { chip: ${CHIP} }`;
  const copies = others.map(
    (row) =>
      `  - { <<: *device, name: ${row.name}, count: ${row.count}, placement: ${row.placement} }`,
  );
  return [common, ...copies].map((row) => `${row}\n`).join('');
}

/** The roundest share that gives the same number of fragments after rounding up. */
function redundancyShare({ redundancy, settled: { nbFrag } }: Estimate): string {
  const least = (redundancy - 1) / nbFrag;
  const makes = (percent: string) =>
    Math.ceil((nbFrag * Math.round(10_000 * Number(percent))) / 1_000_000) === redundancy;
  if (redundancy === 0) return '0 %';
  for (let decimals = 0; decimals < SHARE_DECIMALS; decimals++) {
    const step = 10_000 / [1, 10, 100, 1_000][decimals]!;
    const above = (Math.floor((1_000_000 * least) / step) + 1) * step;
    const percent = (above / 10_000).toFixed(decimals);
    if (makes(percent)) return `${percent} %`;
  }
  return `${((100 * (redundancy - 0.5)) / nbFrag).toFixed(SHARE_DECIMALS)} %`;
}

/** Shares of files are whole millionths. */
const SHARE_DECIMALS = 4;

function paceOf({ settled, session }: Estimate): string {
  if (settled.asked.delayUs === undefined) return '';
  const seconds = session.sessionUs / SECOND_US;
  const timeOut = seconds <= 32_768 ? `    mcast_session_timeout: ${seconds} s\n` : '';
  return `    frag_send_delay: ${settled.asked.delayUs / SECOND_US} s\n${timeOut}`;
}

/** Absent where it is RX2’s, as campaigns have it when nobody says. */
const frequencyOf = ({ frequencyHz, plan }: Settled): string =>
  frequencyHz === plan.rx2.frequencyHz ? '' : `    mcast_freq: ${frequencyHz / 1e6} MHz\n`;

const sessionRows = ({ session, timing }: Settled): string =>
  session === 'B' ? '    multicastSession: classB\n' : `    gateway_timing: ${timing}\n`;

/** Tolerance of a share for chance, in standard deviations. */
const SIGMAS = 3;

/** What a run with these devices shows, chance left aside. */
function expected({ settled, holding }: Estimate): string {
  const { devices, confidence } = settled;
  const share = Math.min(holding, confidence);
  const least = share - SIGMAS * Math.sqrt((share * (1 - share)) / devices);
  return percent(Math.max(0, Math.floor(1000 * least) / 1000));
}

function exactly(us: number): string {
  if (us % HOUR_US === 0) return `${us / HOUR_US} h`;
  return us % MINUTE_US === 0 ? `${us / MINUTE_US} min` : `${us / SECOND_US} s`;
}

const percent = (share: number): string => `${Number((100 * share).toFixed(2))} %`;
