/**
 * The part of ChirpStack's API that provisioning speaks, in memory: by the services and messages of
 * its own npm client, over gRPC on loopback.
 */
import { createRequire } from 'node:module';
import type {
  handleUnaryCall,
  Server,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';

const require = createRequire(import.meta.url);
const grpc: typeof import('@grpc/grpc-js') = require('@grpc/grpc-js');
const load = <Module>(path: string): Module => require(`@chirpstack/chirpstack-api/api/${path}`);

export const TOKEN = 'a-key-of-this-test';
export const USER = 'admin';
export const PASSWORD = 'a-password-of-this-test';
const JWT = 'a-token-of-the-user';

/** A region that is enabled: by its number in the API, with channels in Hz. */
export interface RegionOfTest {
  readonly id: string;
  readonly region: number;
  readonly uplinkHz: readonly number[];
}
const EU868: RegionOfTest = {
  id: 'eu868',
  region: 0,
  uplinkHz: [868_100_000, 868_300_000, 868_500_000, 867_100_000, 867_300_000],
};

/** A message of some service, by its accessors; what they return is for the caller to know. */
export interface Message {
  readonly [accessor: string]: (...given: readonly unknown[]) => Message;
}
type Messages = Readonly<Record<string, new () => Message>>;
/** A thing as it was created, by the id that names it. */
type Things = Map<string, Message>;
const text = (value: Message | undefined) => value as unknown as string;
const whole = (value: Message | undefined) => value as unknown as number;

const KINDS = {
  tenant: ['tenant', 'Tenant', 'Id'],
  application: ['application', 'Application', 'Id'],
  profile: ['device_profile', 'DeviceProfile', 'Id'],
  gateway: ['gateway', 'Gateway', 'GatewayId'],
  device: ['device', 'Device', 'DevEui'],
} as const;
type Kind = keyof typeof KINDS;

export class ChirpStackApi {
  readonly things: Readonly<Record<Kind, Things>> = {
    tenant: new Map(),
    application: new Map(),
    profile: new Map(),
    gateway: new Map(),
    device: new Map(),
  };
  readonly keys: Things = new Map();
  readonly activations: Things = new Map();
  /** Shown to users, not to API keys. */
  regions: readonly RegionOfTest[] = [EU868];
  /** What gateways have spoken with, as ChirpStack keeps it: `region_common_name` and so on. */
  readonly properties = new Map<string, Readonly<Record<string, string>>>();
  /** Calls that change something, in their order: `device.create`. */
  readonly changes: string[] = [];
  readonly #server: Server = new grpc.Server();
  #ids = 0;

  /** Resolves to its address. */
  async listen(): Promise<string> {
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const [file, name] = KINDS[kind];
      const services = load<Readonly<Record<string, ServiceDefinition>>>(`${file}_grpc_pb.js`);
      const rows =
        kind === 'device' ? { ...this.#rows(kind), ...this.#deviceRows() } : this.#rows(kind);
      this.#server.addService(services[`${name}ServiceService`]!, rows);
    }
    const internal = load<Readonly<Record<string, ServiceDefinition>>>('internal_grpc_pb.js');
    this.#server.addService(internal.InternalServiceService!, this.#internalRows());
    const port = await new Promise<number>((resolve, reject) => {
      const credentials = grpc.ServerCredentials.createInsecure();
      this.#server.bindAsync('127.0.0.1:0', credentials, (error, found) =>
        error === null ? resolve(found) : reject(error),
      );
    });
    return `127.0.0.1:${port}`;
  }

  close(): void {
    this.#server.forceShutdown();
  }

  /** Create, get, list and delete of a kind. */
  #rows(kind: Kind): UntypedServiceImplementation {
    const [file, name, id] = KINDS[kind];
    const pb = load<Messages>(`${file}_pb.js`);
    const empty: Messages = require('google-protobuf/google/protobuf/empty_pb.js');
    const things = this.things[kind];
    return {
      create: this.#unary((request) => {
        this.changes.push(`${kind}.create`);
        const thing = request[`get${name}`]!();
        if (id === 'Id') thing.setId!(`${kind}-${++this.#ids}`);
        things.set(text(thing[`get${id}`]!()), thing);
        if (id !== 'Id') return new empty.Empty!();
        const response = new pb[`Create${name}Response`]!();
        response.setId!(thing.getId!());
        return response;
      }),
      get: this.#unary((request) => {
        const thing = things.get(text(request[`get${id}`]!()));
        if (thing === undefined) return undefined;
        const response = new pb[`Get${name}Response`]!();
        response[`set${name}`]!(thing);
        return response;
      }),
      list: this.#unary((request) => this.#list(kind, pb, request)),
      delete: this.#unary((request) => {
        this.changes.push(`${kind}.delete`);
        return things.delete(text(request[`get${id}`]!())) ? new empty.Empty!() : undefined;
      }),
    };
  }

  #list(kind: Kind, pb: Messages, request: Message): Message {
    const [, name, id] = KINDS[kind];
    const plural = `${name}s`;
    const owner = kind === 'device' ? 'ApplicationId' : 'TenantId';
    const all = [...this.things[kind].values()].filter(
      (thing) => kind === 'tenant' || thing[`get${owner}`]!() === request[`get${owner}`]!(),
    );
    const offset = whole(request.getOffset!());
    const found = all.slice(offset, offset + whole(request.getLimit!()));
    const response = new pb[`List${plural}Response`]!();
    response.setTotalCount!(all.length);
    response.setResultList!(
      found.map((thing) => {
        const item = new pb[`${name}ListItem`]!();
        item[`set${id}`]!(thing[`get${id}`]!());
        item.setName!(thing.getName!());
        const properties = this.properties.get(text(thing[`get${id}`]!())) ?? {};
        for (const [key, value] of Object.entries(properties)) {
          item.getPropertiesMap!().set!(key, value);
        }
        return item;
      }),
    );
    return response;
  }

  #deviceRows(): UntypedServiceImplementation {
    const pb = load<Messages>('device_pb.js');
    const empty: Messages = require('google-protobuf/google/protobuf/empty_pb.js');
    const keep = (where: Things, what: string, get: string) =>
      this.#unary((request) => {
        this.changes.push(`device.${what}`);
        where.set(text(request[get]!().getDevEui!()), request[get]!());
        return new empty.Empty!();
      });
    return {
      createKeys: keep(this.keys, 'createKeys', 'getDeviceKeys'),
      updateKeys: keep(this.keys, 'updateKeys', 'getDeviceKeys'),
      activate: keep(this.activations, 'activate', 'getDeviceActivation'),
      getKeys: this.#unary((request) => {
        const keys = this.keys.get(text(request.getDevEui!()));
        if (keys === undefined) return undefined;
        const response = new pb.GetDeviceKeysResponse!();
        response.setDeviceKeys!(keys);
        return response;
      }),
      flushDevNonces: this.#unary(() => {
        this.changes.push('device.flushDevNonces');
        return new empty.Empty!();
      }),
    };
  }

  #internalRows(): UntypedServiceImplementation {
    const pb = load<Messages>('internal_pb.js');
    const login: handleUnaryCall<Message, Message> = ({ request, metadata }, callback) => {
      if (metadata.get('authorization').length > 0) {
        return callback({ code: grpc.status.UNAUTHENTICATED, details: 'InvalidToken' });
      }
      const isUser =
        text(request.getEmail!()) === USER && text(request.getPassword!()) === PASSWORD;
      if (!isUser) {
        return callback({
          code: grpc.status.UNAUTHENTICATED,
          details: 'Invalid email or password',
        });
      }
      const response = new pb.LoginResponse!();
      response.setJwt!(JWT);
      callback(null, response);
    };
    return {
      login,
      listRegions: this.#unary(() => {
        const response = new pb.ListRegionsResponse!();
        response.setRegionsList!(this.regions.map((each) => regionItem(pb, each)));
        return response;
      }, [JWT]),
      getRegion: this.#unary(
        (request) => {
          const found = this.regions.find(({ id }) => id === text(request.getId!()))!;
          const response = new pb.GetRegionResponse!();
          response.setUplinkChannelsList!(found.uplinkHz.map((hz) => channelAt(pb, hz)));
          return response;
        },
        [JWT],
      ),
    };
  }

  /** An answer, `undefined` for what is not found; a wrong token is refused. */
  #unary(
    answer: (request: Message) => Message | undefined,
    tokens: readonly string[] = [TOKEN, JWT],
  ): handleUnaryCall<Message, Message> {
    return ({ request, metadata }, callback) => {
      const given = String(metadata.get('authorization')[0]).replace('Bearer ', '');
      if (!tokens.includes(given)) {
        return callback({ code: grpc.status.UNAUTHENTICATED, details: 'InvalidToken' });
      }
      const response = answer(request);
      if (response !== undefined) return callback(null, response);
      callback({ code: grpc.status.NOT_FOUND, details: 'Object does not exist' });
    };
  }
}

function regionItem(pb: Messages, { id, region }: RegionOfTest): Message {
  const item = new pb.RegionListItem!();
  item.setId!(id);
  item.setRegion!(region);
  return item;
}

function channelAt(pb: Messages, hz: number): Message {
  const channel = new pb.RegionChannel!();
  channel.setFrequency!(hz);
  return channel;
}
