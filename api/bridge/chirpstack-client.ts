/** ChirpStack 4 over gRPC, by its own npm client; loaded when it is needed. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Client, ServiceError } from '@grpc/grpc-js';
import { describeSystemError } from '../host/process/system-error.ts';
import { BridgeFault } from './sockets.ts';

/** Requests that are under way at once. */
const AT_ONCE = 16;
const ANSWERS_WITHIN_MS = 15_000;

export interface ChirpStackAddress {
  /** HOST:PORT of its API. */
  readonly api: string;
  /** An API key that may administer, or a user who may. */
  readonly by: { readonly token: string } | { readonly user: string; readonly password: string };
  /** Over TLS; with a file, by this certificate authority. */
  readonly tls?: boolean | undefined;
  readonly ca?: string | undefined;
}

type Application = typeof import('@chirpstack/chirpstack-api/api/application_pb.js');
type Device = typeof import('@chirpstack/chirpstack-api/api/device_pb.js');
type Gateway = typeof import('@chirpstack/chirpstack-api/api/gateway_pb.js');
type Internal = typeof import('@chirpstack/chirpstack-api/api/internal_pb.js');
type Profile = typeof import('@chirpstack/chirpstack-api/api/device_profile_pb.js');
type Tenant = typeof import('@chirpstack/chirpstack-api/api/tenant_pb.js');
type Common = typeof import('@chirpstack/chirpstack-api/common/common_pb.js');

/** Its messages are CommonJS, and take a tenth of a second to load. */
const require = createRequire(import.meta.url);
const load = <Module>(path: string): Module => require(`@chirpstack/chirpstack-api/${path}`);
/** What the client itself depends on. */
const ofClient = createRequire(require.resolve('@chirpstack/chirpstack-api/api/internal_pb.js'));
type Empty = typeof import('google-protobuf/google/protobuf/empty_pb.js');

/** Messages of the API. */
export const messages = () => ({
  application: load<Application>('api/application_pb.js'),
  device: load<Device>('api/device_pb.js'),
  gateway: load<Gateway>('api/gateway_pb.js'),
  internal: load<Internal>('api/internal_pb.js'),
  profile: load<Profile>('api/device_profile_pb.js'),
  tenant: load<Tenant>('api/tenant_pb.js'),
  common: load<Common>('common/common_pb.js'),
  empty: ofClient('google-protobuf/google/protobuf/empty_pb.js') as Empty,
});

type ApplicationGrpc = typeof import('@chirpstack/chirpstack-api/api/application_grpc_pb.js');
type DeviceGrpc = typeof import('@chirpstack/chirpstack-api/api/device_grpc_pb.js');
type GatewayGrpc = typeof import('@chirpstack/chirpstack-api/api/gateway_grpc_pb.js');
type InternalGrpc = typeof import('@chirpstack/chirpstack-api/api/internal_grpc_pb.js');
type ProfileGrpc = typeof import('@chirpstack/chirpstack-api/api/device_profile_grpc_pb.js');
type TenantGrpc = typeof import('@chirpstack/chirpstack-api/api/tenant_grpc_pb.js');

interface Services {
  readonly application: InstanceType<ApplicationGrpc['ApplicationServiceClient']>;
  readonly device: InstanceType<DeviceGrpc['DeviceServiceClient']>;
  readonly gateway: InstanceType<GatewayGrpc['GatewayServiceClient']>;
  readonly internal: InstanceType<InternalGrpc['InternalServiceClient']>;
  readonly profile: InstanceType<ProfileGrpc['DeviceProfileServiceClient']>;
  readonly tenant: InstanceType<TenantGrpc['TenantServiceClient']>;
}

const SERVICES = {
  application: ['api/application_grpc_pb.js', 'ApplicationServiceClient'],
  device: ['api/device_grpc_pb.js', 'DeviceServiceClient'],
  gateway: ['api/gateway_grpc_pb.js', 'GatewayServiceClient'],
  internal: ['api/internal_grpc_pb.js', 'InternalServiceClient'],
  profile: ['api/device_profile_grpc_pb.js', 'DeviceProfileServiceClient'],
  tenant: ['api/tenant_grpc_pb.js', 'TenantServiceClient'],
} as const satisfies Record<keyof Services, readonly [string, string]>;

/** gRPC's number of an answer that there is no such thing. */
const NOT_FOUND = 5;

type Unary<Request, Response> = (
  request: Request,
  metadata: never,
  options: never,
  callback: (error: ServiceError | null, response: Response) => void,
) => unknown;

export class ChirpStackClient {
  readonly services: Services;
  readonly #address: ChirpStackAddress;
  readonly #grpc: typeof import('@grpc/grpc-js');
  #token: string;

  constructor(address: ChirpStackAddress) {
    this.#address = address;
    this.#grpc = require('@grpc/grpc-js');
    this.#token = 'token' in address.by ? address.by.token : '';
    const credentials = this.#credentials();
    this.services = Object.fromEntries(
      Object.entries(SERVICES).map(([name, [path, service]]) => {
        const module = load<Record<string, new (...given: unknown[]) => Client>>(path);
        return [name, new module[service]!(address.api, credentials)];
      }),
    ) as unknown as Services;
  }

  #credentials() {
    const { tls, ca } = this.#address;
    const { credentials } = this.#grpc;
    if (ca === undefined) return tls ? credentials.createSsl() : credentials.createInsecure();
    try {
      return credentials.createSsl(readFileSync(ca));
    } catch (error) {
      throw new BridgeFault(`${ca}: cannot be read: ${describeSystemError(error)}`);
    }
  }

  /** Where its API is, HOST:PORT. */
  get api(): string {
    return this.#address.api;
  }

  /** What a user needs to do first; an API key is taken as it is. */
  async logIn(): Promise<void> {
    const { by } = this.#address;
    if ('token' in by) return;
    const { LoginRequest, LoginResponse: _ } = messages().internal;
    const request = new LoginRequest();
    request.setEmail(by.user);
    request.setPassword(by.password);
    type Answer = InstanceType<typeof _>;
    const { internal } = this.services;
    const answer: Answer = await this.call(internal, (each) => each.login, request);
    this.#token = answer.getJwt();
  }

  close(): void {
    for (const service of Object.values(this.services)) (service as unknown as Client).close();
  }

  /** Calls a method; what the server refuses is a BridgeFault that says where. */
  async call<Service, Request, Response>(
    service: Service,
    method: (service: Service) => unknown,
    request: Request,
  ): Promise<Response> {
    const found = await this.find<Service, Request, Response>(service, method, request);
    if (found !== undefined) return found;
    throw new BridgeFault(`${this.#address.api}: what was just there is there no more`);
  }

  /** The same; undefined: there is no such thing. */
  find<Service, Request, Response>(
    service: Service,
    method: (service: Service) => unknown,
    request: Request,
  ): Promise<Response | undefined> {
    return this.#ask<Service, Request, Response>(service, method, request, [NOT_FOUND]);
  }

  /** The same; undefined: they are not for this account. */
  ifAllowed<Service, Request, Response>(
    service: Service,
    method: (service: Service) => unknown,
    request: Request,
  ): Promise<Response | undefined> {
    const { UNAUTHENTICATED, PERMISSION_DENIED, UNIMPLEMENTED } = this.#grpc.status;
    const codes = [UNAUTHENTICATED, PERMISSION_DENIED, UNIMPLEMENTED];
    return this.#ask<Service, Request, Response>(service, method, request, codes);
  }

  /** Undefined: it ends with one of the codes. */
  #ask<Service, Request, Response>(
    service: Service,
    method: (service: Service) => unknown,
    request: Request,
    codes: readonly number[],
  ): Promise<Response | undefined> {
    const metadata = new this.#grpc.Metadata();
    // A login with an empty one would be refused.
    if (this.#token !== '') metadata.set('authorization', `Bearer ${this.#token}`);
    const options = { deadline: Date.now() + ANSWERS_WITHIN_MS };
    const call = method(service) as Unary<Request, Response>;
    return new Promise((resolve, reject) => {
      call.call(service, request, metadata as never, options as never, (error, response) => {
        if (error === null) resolve(response);
        else if (codes.includes(error.code)) resolve(undefined);
        else reject(this.#fault(error));
      });
    });
  }

  #fault({ code, details: text }: ServiceError): BridgeFault {
    const details = firstLine(text);
    const { UNAUTHENTICATED, UNAVAILABLE, DEADLINE_EXCEEDED } = this.#grpc.status;
    const { api } = this.#address;
    if (code === UNAUTHENTICATED) {
      const { by } = this.#address;
      const who = 'token' in by ? 'the API key' : `user ${by.user}`;
      return new BridgeFault(`${api}: ${who} is refused: ${details}`);
    }
    if (code === UNAVAILABLE || code === DEADLINE_EXCEEDED) {
      return new BridgeFault(`${api}: ChirpStack's API does not answer: ${details}`);
    }
    return new BridgeFault(`${api}: ${details}`);
  }
}

const MOST_SHOWN = 200;

/** Details of a connection have several lines. */
const firstLine = (text: string): string =>
  (text.split('\n')[0] ?? '').replace(/\. Resolution note:.*$/, '').slice(0, MOST_SHOWN);

/** Does something to each, some at once; the first fault ends it. */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < items.length) await act(items[next++]!);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work));
}
