/** Words for what an update of an outside server is examined for, with the rule that it is of. */
import type { OutsideCheckName } from '../../../core/result/outside-server.ts';
import { counted } from '../../text/format.ts';

export interface CheckWords {
  readonly label: string;
  /** The document and section, or where such a fault is known from. */
  readonly rule: string;
  /** What the check's count says. */
  readonly found: (count: number) => string;
  readonly fine: string;
}

export const CHECK_WORDS: Readonly<Record<OutsideCheckName, CheckWords>> = {
  setupOrder: {
    label: 'Set-up before the session',
    rule: 'TS005 §4.2, TS004 §3.2: a device needs its group, its block and its session first.',
    found: (n) => `${counted(n, 'device')} without a session of the group, or without a block`,
    fine: 'each device had group, block and session before the first fragment',
  },
  unansweredSetup: {
    label: 'Answers to the set-up',
    rule: 'TS005 §4, TS004 §3: each set-up request is answered; others are to be repeated.',
    found: (n) => `${counted(n, 'device')} without an answer to one of the steps`,
    fine: 'an answer of every device to every step was forwarded',
  },
  beforeSession: {
    label: 'Fragments before the session',
    rule: 'TS005 §4.5: a device listens from SessionTime on, by its own clock.',
    found: (n) => `${counted(n, 'fragment')} sent before the session began`,
    fine: 'none was sent before the session began',
  },
  afterSession: {
    label: 'Time-out against what was sent',
    rule:
      'TS005 §4.5: the session ends after TimeOut. ChirpStack 4 computes it without the number ' +
      'of gateways and the doubled margin.',
    found: (n) => `${counted(n, 'fragment')} sent after the session had ended`,
    fine: 'all fragments were sent before the session ended',
  },
  stoppedEarly: {
    label: 'The whole block was sent',
    rule:
      'TS004 §3: the block has NbFrag fragments. ChirpStack 4 drops what waits when it deletes ' +
      'the group.',
    found: (n) => `the end of the block was never requested: ${counted(n, 'fragment')}`,
    fine: 'the numbers of what was sent reach the end of the block',
  },
  refusedFragments: {
    label: 'Refused fragments',
    rule: 'Semtech UDP, TX_ACK: a refused frame is to be sent again. ChirpStack 4 drops it.',
    found: (n) => `${counted(n, 'fragment')} refused by each gateway asked, and not sent again`,
    fine: 'no fragment was lost to a refusal',
  },
  lateCommand: {
    label: 'Commands in time',
    rule:
      'A forwarder needs 33 to 43 ms before the start. ChirpStack 4 looks for due frames once a ' +
      'second.',
    found: (n) => `${counted(n, 'command')} after the instant, or too close to it`,
    fine: 'every command came in time for its instant',
  },
  stalled: {
    label: 'A steady pace',
    rule:
      'ChirpStack 4 releases multicast frames only while the statistics of a gateway are ' +
      'younger than two of its intervals.',
    found: (n) => `a pause of ${counted(n, 'second')} between two fragments`,
    fine: 'no pause was longer than four usual ones',
  },
  dutyCycle: {
    label: 'Pace against the duty cycle',
    rule: 'ERC 70-03 and the sub-bands of the region: air time of each gateway in an hour.',
    found: (n) => `fragments took ${n} % of an hour at each gateway, or found no air time left`,
    fine: 'the pace keeps the duty cycle of the sub-band',
  },
  statusNotAsked: {
    label: 'Status was asked for',
    rule: 'TS004 §3.5: a server knows what a device has by FragSessionStatusReq alone.',
    found: (n) => `${counted(n, 'device')} not asked for what it has`,
    fine: 'each device was asked what it has',
  },
  statusUnanswered: {
    label: 'Answers to the status request',
    rule: 'ChirpStack 4 asks once; who does not answer then counts as incomplete.',
    found: (n) => `${counted(n, 'device')} asked without an answer that was forwarded`,
    fine: 'an answer of each device that was asked was forwarded',
  },
  wrongBelief: {
    label: 'What the server believes',
    rule: 'By the status answers that gateways forwarded, against what devices have.',
    found: (n) => `${counted(n, 'device')} in another state than the server must believe`,
    fine: 'no device is in another state than the server must believe',
  },
};
