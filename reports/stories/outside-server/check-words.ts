/** Words for what an update of an outside server is examined for, with the rule that it is of. */
import type { OutsideCheckName } from '../../../core/result/outside-server.ts';

export interface CheckWords {
  readonly label: string;
  /** The document and section, or where such a fault is known from. */
  readonly rule: string;
  /** What `count` counts, with the number in place of `#`. */
  readonly found: string;
  readonly fine: string;
}

export const CHECK_WORDS: Readonly<Record<OutsideCheckName, CheckWords>> = {
  setupOrder: {
    label: 'Set-up before the session',
    rule: 'TS005 §4.2, TS004 §3.2: a device needs its group, its block and its session first.',
    found: '# devices had no session of the group, or no block, when fragments were sent',
    fine: 'each device had group, block and session before the first fragment',
  },
  unansweredSetup: {
    label: 'Answers to the set-up',
    rule: 'TS005 §4, TS004 §3: each set-up request is answered; others are to be repeated.',
    found: '# devices were asked, and no gateway has forwarded an answer to the last of the steps',
    fine: 'an answer of every device to every step was forwarded',
  },
  beforeSession: {
    label: 'Fragments before the session',
    rule: 'TS005 §4.5: a device listens from SessionTime on, by its own clock.',
    found: '# fragments were sent before the session began',
    fine: 'none was sent before the session began',
  },
  afterSession: {
    label: 'Time-out against what was sent',
    rule:
      'TS005 §4.5: the session ends after TimeOut. ChirpStack 4 computes it without the number ' +
      'of gateways and the doubled margin.',
    found: '# fragments were sent after the session had ended',
    fine: 'all fragments were sent before the session ended',
  },
  stoppedEarly: {
    label: 'The whole block was sent',
    rule:
      'TS004 §3: the block has NbFrag fragments. ChirpStack 4 drops what waits when it deletes ' +
      'the group.',
    found: 'the last # fragments of the block were never requested',
    fine: 'the numbers of what was sent reach the end of the block',
  },
  refusedFragments: {
    label: 'Refused fragments',
    rule: 'Semtech UDP, TX_ACK: a refused frame is to be sent again. ChirpStack 4 drops it.',
    found: '# fragments were refused by every gateway that was to send them, and not sent again',
    fine: 'no fragment was lost to a refusal',
  },
  lateCommand: {
    label: 'Commands in time',
    rule:
      'A forwarder needs 33 to 43 ms before the start. ChirpStack 4 looks for due frames once a ' +
      'second.',
    found: '# commands came after their instant, or too close to it',
    fine: 'every command came in time for its instant',
  },
  stalled: {
    label: 'A steady pace',
    rule:
      'ChirpStack 4 releases multicast frames only while the statistics of a gateway are ' +
      'younger than two of its intervals.',
    found: 'the longest pause between two fragments was # s',
    fine: 'no pause was longer than four usual ones',
  },
  dutyCycle: {
    label: 'Pace against the duty cycle',
    rule: 'ERC 70-03 and the sub-bands of the region: air time of each gateway in an hour.',
    found: 'fragments took # % of an hour at each gateway, or were refused for lack of air time',
    fine: 'the pace keeps the duty cycle of the sub-band',
  },
  statusNotAsked: {
    label: 'Status was asked for',
    rule: 'TS004 §3.5: a server knows what a device has by FragSessionStatusReq alone.',
    found: '# devices were not asked what they have',
    fine: 'each device was asked what it has',
  },
  statusUnanswered: {
    label: 'Answers to the status request',
    rule: 'ChirpStack 4 asks once; who does not answer then counts as incomplete.',
    found: '# devices were asked what they have, and no answer was forwarded',
    fine: 'an answer of each device that was asked was forwarded',
  },
  wrongBelief: {
    label: 'What the server believes',
    rule: 'By the status answers that gateways forwarded, against what devices have.',
    found: '# devices are otherwise than the server must believe',
    fine: 'the server knows of each device whether it has the block',
  },
};
