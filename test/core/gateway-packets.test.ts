/** What is counted of gateways is what a look at every packet gives. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeardDevices } from '../../core/management/gateway-states/heard-devices.ts';
import { Packets } from '../../core/management/gateway-states/packets.ts';
import { mostRuns } from '../support/long.ts';

const GATEWAYS = ['A', 'B'] as const;
const HOUR_US = 3_600_000_000;

const packet = fc.record({
  what: fc.constantFrom('heard', 'heard', 'sent', 'forget', 'save'),
  gateway: fc.constantFrom(...GATEWAYS),
  /** Hours since the one before. */
  step: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(40)),
  /** A packet is reported late by that many hours. */
  back: fc.constantFrom(0, 0, 0, 1, 24, 25),
});

describe('packets of gateways', () => {
  it('are those of the hour that is running and of the 24 full hours before it', () => {
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 60 }), fc.nat(50), (packets, later) => {
        let counted = new Packets();
        let all: { gateway: string; what: string; hour: number }[] = [];
        let now = 500_000;
        for (const { what, gateway, step, back } of packets) {
          now += step;
          const hour = now - back;
          if (what === 'heard') counted.heard(gateway, hour * HOUR_US, hour);
          if (what === 'sent') counted.sent(gateway, now * HOUR_US, now);
          if (what === 'forget') {
            counted.forget(gateway);
            all = all.filter((each) => each.gateway !== gateway);
          }
          if (what === 'save') {
            const saved = counted.save();
            counted.heard(gateway, now * HOUR_US, now);
            counted = new Packets();
            counted.load(saved);
          }
          if (what === 'heard') all.push({ gateway, what, hour });
          if (what === 'sent') all.push({ gateway, what, hour: now });
        }
        for (const gateway of GATEWAYS) {
          for (const at of [now, now + 1, now + later]) {
            const of = (what: string) =>
              all.filter((each) => each.gateway === gateway && each.what === what);
            const inWindow = (what: string) =>
              of(what).filter(({ hour }) => hour >= at - 24).length;
            const last = (what: string) => {
              const hours = of(what).map(({ hour }) => hour);
              return hours.length === 0 ? -1 : Math.max(...hours) * HOUR_US;
            };
            expect(counted.of(gateway, at)).toEqual({
              up: inWindow('heard'),
              down: inWindow('sent'),
              lastUpUs: last('heard'),
              lastDownUs: last('sent'),
            });
          }
        }
      }),
      { numRuns: mostRuns(100) },
    );
  });
});

const step = fc.record({
  what: fc.constantFrom('heard', 'heard', 'heard', 'device', 'gateway', 'save'),
  gateway: fc.constantFrom(...GATEWAYS),
  device: fc.nat(80),
  hours: fc.oneof(fc.constant(0), fc.nat(2), fc.nat(200)),
});

describe('devices that a gateway has heard', () => {
  it('are those of every frame of the last hours, but for those that are gone', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), fc.nat(720), (steps, hours) => {
        let heard = new HeardDevices();
        const model = new Map<string, Map<string, number>>(
          GATEWAYS.map((each) => [each, new Map()]),
        );
        let now = 500_000;
        for (const { what, gateway, device, hours: later } of steps) {
          now += later;
          const devEui = `D${device}`;
          if (what === 'heard') {
            heard.heard(gateway, heard.numberOf(devEui), now);
            model.get(gateway)!.set(devEui, now);
          }
          if (what === 'device') {
            heard.forgetDevice(devEui);
            for (const devices of model.values()) devices.delete(devEui);
          }
          if (what === 'gateway') {
            heard.forgetGateway(gateway);
            model.get(gateway)!.clear();
          }
          if (what === 'save') {
            const saved = heard.save();
            for (let i = 0; i < 40; i++) heard.heard(gateway, heard.numberOf(`other ${i}`), now);
            heard = new HeardDevices();
            heard.load(saved);
          }
        }
        for (const [gateway, devices] of model) {
          const since = now - hours;
          const expected = [...devices].filter(([, hour]) => hour >= since);
          expect(heard.since(gateway, since).sort()).toEqual(expected.map(([each]) => each).sort());
        }
      }),
    );
  });

  it('take no more place when others come in the place of those that are gone', () => {
    const heard = new HeardDevices();
    const placesAfter = (rounds: number) => {
      for (let round = 0; round < rounds; round++) {
        for (let i = 0; i < 100; i++) heard.heard('A', heard.numberOf(`${i}`), 1);
        for (let i = 0; i < 100; i++) heard.forgetDevice(`${i}`);
      }
      const { tables, devEuis } = heard.save();
      expect(devEuis).toEqual([]);
      return tables[0]!.devices.length;
    };
    placesAfter(10);
    expect(placesAfter(1_000)).toBeLessThanOrEqual(512);
  });
});
