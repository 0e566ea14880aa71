/**
 * A fleet in ChirpStack 4: tenant, gateways, profiles, application, devices with keys. What is
 * there already stays, and what is made bears a tag, so that `clean` removes exactly that.
 *
 * All is read before anything is changed: an EUI that is registered elsewhere changes nothing.
 */

import type { DeviceKeys } from '../../sim/network/device-keys.ts';
import {
  type ChirpStackAddress,
  ChirpStackClient,
  forEachAtOnce,
  messages,
} from './chirpstack-client.ts';
import type { Fleet, FleetGateway, FleetProfile } from './fleet.ts';
import { compareRegions, REGIONS, type SeenRegion } from './server-regions.ts';
import { BridgeFault } from './sockets.ts';

/** Tag of what was made here; its value is the scenario. */
const TAG = 'fleetwave';
const TENANT = 'fleetwave';
const MOST_LISTED = 1_000;
/** As `stat` of the bridge comes, s. */
const STATS_INTERVAL_S = 30;
/** A class B or C device confirms within so long, s; the LoRaWAN default. */
const CONFIRM_WITHIN_S = 8;

const VERSIONS = {
  '1.0.2': ['LORAWAN_1_0_2', 'B'],
  '1.0.3': ['LORAWAN_1_0_3', 'A'],
  '1.0.4': ['LORAWAN_1_0_4', 'RP002_1_0_3'],
  '1.1': ['LORAWAN_1_1_0', 'B'],
} as const;

/** What was done, or would be in a dry run. */
export interface Provisioned {
  /** Lines such as `device 70B3…: created`. */
  readonly lines: readonly string[];
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly applicationId: string;
}

class Account {
  readonly lines: string[] = [];
  created = 0;
  updated = 0;
  unchanged = 0;

  note(what: string, fate: 'created' | 'updated' | 'unchanged'): void {
    this[fate]++;
    if (fate !== 'unchanged') this.lines.push(`${what}: ${fate}`);
  }
}

export interface ProvisionOptions extends ChirpStackAddress {
  readonly dryRun: boolean;
}

export async function provision(fleet: Fleet, options: ProvisionOptions): Promise<Provisioned> {
  const client = new ChirpStackClient(options);
  try {
    await client.logIn();
    const provisioning = new Provisioning(client, fleet, options.dryRun);
    return await provisioning.run();
  } finally {
    client.close();
  }
}

type Messages = ReturnType<typeof messages>;

/** Ids by name, of one kind. */
type Ids = Map<string, string>;

class Provisioning {
  readonly #client: ChirpStackClient;
  readonly #fleet: Fleet;
  readonly #dryRun: boolean;
  readonly #pb = messages();
  readonly #account = new Account();
  readonly #label: string;

  constructor(client: ChirpStackClient, fleet: Fleet, dryRun: boolean) {
    this.#client = client;
    this.#fleet = fleet;
    this.#dryRun = dryRun;
    this.#label = fleet.scenario;
  }

  async run(): Promise<Provisioned> {
    const tenantId = (await this.#tenants()).get(TENANT) ?? '';
    const applications = tenantId === '' ? new Map() : await this.#applications(tenantId);
    const profiles = tenantId === '' ? new Map() : await this.#profiles(tenantId);
    const applicationId = applications.get(this.#label) ?? '';
    await this.#compareRegions(tenantId);
    const there = await this.#registered(tenantId, applicationId);
    const tenant = await this.#ensureTenant(tenantId);
    for (const gateway of this.#fleet.gateways) await this.#ensureGateway(gateway, tenant, there);
    const profileIds: string[] = [];
    for (const profile of this.#fleet.profiles) {
      profileIds.push(await this.#ensureProfile(profile, tenant, profiles));
    }
    const application = await this.#ensureApplication(applicationId, tenant);
    await forEachAtOnce(this.#fleet.devices, (device) =>
      this.#ensureDevice(device, profileIds[device.type]!, application, there),
    );
    const { lines, created, updated, unchanged } = this.#account;
    return { lines, created, updated, unchanged, applicationId: application };
  }

  // ── what is there ──────────────────────────────────────────────────────────────────────────────

  async #tenants(): Promise<Ids> {
    const { ListTenantsRequest, ListTenantsResponse: _ } = this.#pb.tenant;
    const request = new ListTenantsRequest();
    request.setLimit(MOST_LISTED);
    request.setSearch(TENANT);
    type Answer = InstanceType<typeof _>;
    const { tenant } = this.#client.services;
    const list: Answer = await this.#client.call(tenant, (each) => each.list, request);
    return new Map(list.getResultList().map((each) => [each.getName(), each.getId()]));
  }

  async #compareRegions(tenantId: string): Promise<void> {
    const own = new Set(this.#fleet.gateways.map(({ eui }) => eui));
    const seen = (await this.#seenRegions(tenantId)).filter(({ eui }) => own.has(eui));
    const isCompared = await compareRegions(this.#client, this.#pb, this.#fleet, seen);
    if (isCompared) return;
    this.#account.lines.push(
      `regions: not compared, since ChirpStack shows them to its users alone (--user); ` +
        `it needs ${this.#fleet.uplinkHz.map((hz) => hz / 1e6).join(', ')} MHz`,
    );
  }

  async #seenRegions(tenantId: string): Promise<readonly SeenRegion[]> {
    if (tenantId === '') return [];
    const seen: SeenRegion[] = [];
    for (const each of await this.#gateways(tenantId)) {
      const properties = each.getPropertiesMap();
      const name = properties.get('region_common_name') ?? '';
      const id = properties.get('region_config_id') ?? '';
      if (name !== '') seen.push({ eui: each.getGatewayId(), id, name });
    }
    return seen;
  }

  async #applications(tenantId: string): Promise<Ids> {
    const { ListApplicationsRequest, ListApplicationsResponse: _ } = this.#pb.application;
    const request = new ListApplicationsRequest();
    request.setLimit(MOST_LISTED);
    request.setTenantId(tenantId);
    const { application } = this.#client.services;
    type Answer = InstanceType<typeof _>;
    const list: Answer = await this.#client.call(application, (each) => each.list, request);
    return new Map(list.getResultList().map((each) => [each.getName(), each.getId()]));
  }

  async #profiles(tenantId: string): Promise<Ids> {
    const { ListDeviceProfilesRequest, ListDeviceProfilesResponse: _ } = this.#pb.profile;
    const request = new ListDeviceProfilesRequest();
    request.setLimit(MOST_LISTED);
    request.setTenantId(tenantId);
    const { profile } = this.#client.services;
    type Answer = InstanceType<typeof _>;
    const list: Answer = await this.#client.call(profile, (each) => each.list, request);
    return new Map(list.getResultList().map((each) => [each.getName(), each.getId()]));
  }

  /** All of the tenant, page by page. */
  async #gateways(tenantId: string) {
    const { ListGatewaysRequest, ListGatewaysResponse: _ } = this.#pb.gateway;
    const { gateway } = this.#client.services;
    type Answer = InstanceType<typeof _>;
    const all: ReturnType<Answer['getResultList']> = [];
    for (;;) {
      const request = new ListGatewaysRequest();
      request.setLimit(MOST_LISTED);
      request.setOffset(all.length);
      request.setTenantId(tenantId);
      const list: Answer = await this.#client.call(gateway, (each) => each.list, request);
      const page = list.getResultList();
      all.push(...page);
      if (page.length < MOST_LISTED) return all;
    }
  }

  /** EUIs that are registered for this fleet already; one that is elsewhere is refused. */
  async #registered(tenantId: string, applicationId: string): Promise<ReadonlySet<string>> {
    const { gateway: gateways, device: devices } = this.#pb;
    const { gateway, device } = this.#client.services;
    const there = new Set<string>();
    type FoundGateway = InstanceType<typeof gateways.GetGatewayResponse>;
    type FoundDevice = InstanceType<typeof devices.GetDeviceResponse>;
    await forEachAtOnce(this.#fleet.gateways, async ({ eui }) => {
      const request = new gateways.GetGatewayRequest();
      request.setGatewayId(eui);
      const found = await this.#client.find<typeof gateway, typeof request, FoundGateway>(
        gateway,
        (each) => each.get,
        request,
      );
      if (found === undefined) return;
      const isOwn = found.getGateway()?.getTenantId() === tenantId;
      if (!isOwn) throw new BridgeFault(`gateway ${eui} is registered by another tenant already`);
      there.add(eui);
    });
    await forEachAtOnce(this.#fleet.devices, async ({ devEui }) => {
      const request = new devices.GetDeviceRequest();
      request.setDevEui(devEui.toLowerCase());
      const found = await this.#client.find<typeof device, typeof request, FoundDevice>(
        device,
        (each) => each.get,
        request,
      );
      if (found === undefined) return;
      const isOwn = applicationId !== '' && found.getDevice()?.getApplicationId() === applicationId;
      if (!isOwn) throw new BridgeFault(`device ${devEui} is in another application already`);
      there.add(devEui);
    });
    return there;
  }

  // ── what is made ───────────────────────────────────────────────────────────────────────────────

  async #ensureTenant(id: string): Promise<string> {
    this.#account.note(`tenant ${TENANT}`, id === '' ? 'created' : 'unchanged');
    if (id !== '' || this.#dryRun) return id;
    const { Tenant, CreateTenantRequest } = this.#pb.tenant;
    const tenant = new Tenant();
    tenant.setName(TENANT);
    tenant.setCanHaveGateways(true);
    tenant.getTagsMap().set(TAG, '');
    const request = new CreateTenantRequest();
    request.setTenant(tenant);
    return this.#created(this.#client.services.tenant, (each) => each.create, request);
  }

  async #created<Service, Request>(
    service: Service,
    method: (service: Service) => unknown,
    request: Request,
  ): Promise<string> {
    type Answer = { getId(): string };
    const answer = await this.#client.call<Service, Request, Answer>(service, method, request);
    return answer.getId();
  }

  async #ensureGateway(
    { eui, name, latitude, longitude }: FleetGateway,
    tenantId: string,
    there: ReadonlySet<string>,
  ): Promise<void> {
    this.#account.note(`gateway ${eui}`, there.has(eui) ? 'unchanged' : 'created');
    if (there.has(eui) || this.#dryRun) return;
    const { Gateway, CreateGatewayRequest } = this.#pb.gateway;
    const gateway = new Gateway();
    gateway.setGatewayId(eui);
    gateway.setName(name);
    gateway.setTenantId(tenantId);
    gateway.setStatsInterval(STATS_INTERVAL_S);
    gateway.getTagsMap().set(TAG, this.#label);
    const location = new this.#pb.common.Location();
    location.setLatitude(latitude);
    location.setLongitude(longitude);
    gateway.setLocation(location);
    const request = new CreateGatewayRequest();
    request.setGateway(gateway);
    await this.#client.call(this.#client.services.gateway, (each) => each.create, request);
  }

  async #ensureApplication(id: string, tenantId: string): Promise<string> {
    this.#account.note(`application ${this.#label}`, id === '' ? 'created' : 'unchanged');
    if (id !== '' || this.#dryRun) return id;
    const { Application, CreateApplicationRequest } = this.#pb.application;
    const application = new Application();
    application.setName(this.#label);
    application.setTenantId(tenantId);
    application.getTagsMap().set(TAG, this.#label);
    const request = new CreateApplicationRequest();
    request.setApplication(application);
    return this.#created(this.#client.services.application, (each) => each.create, request);
  }

  async #ensureProfile(profile: FleetProfile, tenantId: string, there: Ids): Promise<string> {
    const name = profileName(this.#label, profile);
    const id = there.get(name);
    this.#account.note(`profile ${name}`, id === undefined ? 'created' : 'unchanged');
    if (id !== undefined || this.#dryRun) return id ?? '';
    const { DeviceProfile, CreateDeviceProfileRequest } = this.#pb.profile;
    const { Region, MacVersion, RegParamsRevision } = this.#pb.common;
    const [macVersion, revision] = VERSIONS[profile.lorawan ?? '1.0.3'];
    const fresh = new DeviceProfile();
    fresh.setName(name);
    fresh.setTenantId(tenantId);
    fresh.setRegion(Region[REGIONS[this.#fleet.region]]);
    fresh.setMacVersion(MacVersion[macVersion]);
    fresh.setRegParamsRevision(RegParamsRevision[revision]);
    fresh.setAdrAlgorithmId('default');
    fresh.setUplinkInterval(profile.uplinkIntervalS);
    fresh.setSupportsOtaa(profile.otaa);
    fresh.setSupportsClassB(profile.deviceClass === 'B');
    fresh.setSupportsClassC(profile.deviceClass === 'C');
    fresh.setClassBTimeout(CONFIRM_WITHIN_S);
    fresh.setClassCTimeout(CONFIRM_WITHIN_S);
    fresh.setClassBPingSlotPeriodicity(profile.pingSlotPeriodicity);
    fresh.setAbpRx1Delay(1);
    fresh.setFlushQueueOnActivate(true);
    fresh.setAppLayerParams(this.#packages(profile));
    fresh.getTagsMap().set(TAG, this.#label);
    const request = new CreateDeviceProfileRequest();
    request.setDeviceProfile(fresh);
    return this.#created(this.#client.services.profile, (each) => each.create, request);
  }

  /** Versions 1 and 2 of the packages have the numbers 1 and 2; 0 is none. */
  #packages({ packages: { clockSync, fragmentation, multicastSetup } }: FleetProfile) {
    const params = new this.#pb.profile.AppLayerParams();
    params.setTs003Version(clockSync.version);
    params.setTs003FPort(clockSync.fPort);
    params.setTs004Version(fragmentation.version);
    params.setTs004FPort(fragmentation.fPort);
    params.setTs005Version(multicastSetup.version);
    params.setTs005FPort(multicastSetup.fPort);
    return params;
  }

  // ── devices ────────────────────────────────────────────────────────────────────────────────────

  async #ensureDevice(
    device: DeviceKeys,
    profileId: string,
    applicationId: string,
    there: ReadonlySet<string>,
  ): Promise<void> {
    const isThere = there.has(device.devEui);
    if (!isThere && !this.#dryRun) await this.#createDevice(device, profileId, applicationId);
    const isRekeyed = device.session === undefined && (await this.#ensureKeys(device, isThere));
    if (!this.#dryRun) {
      if (device.session !== undefined) await this.#activate(device);
      else if (isThere) await this.#forgetNonces(device);
    }
    const fate = !isThere ? 'created' : isRekeyed ? 'updated' : 'unchanged';
    this.#account.note(`device ${device.devEui}`, fate);
  }

  async #createDevice(
    { devEui, name, joinEui }: DeviceKeys,
    profileId: string,
    applicationId: string,
  ): Promise<void> {
    const { Device, CreateDeviceRequest } = this.#pb.device;
    const device = new Device();
    device.setDevEui(devEui.toLowerCase());
    device.setName(name);
    device.setApplicationId(applicationId);
    device.setDeviceProfileId(profileId);
    device.setJoinEui(joinEui.toLowerCase());
    device.getTagsMap().set(TAG, this.#label);
    const request = new CreateDeviceRequest();
    request.setDevice(device);
    await this.#client.call(this.#client.services.device, (each) => each.create, request);
  }

  /** Whether keys that were there are others now. */
  async #ensureKeys(device: DeviceKeys, isThere: boolean): Promise<boolean> {
    const { devEui, appKey, nwkKey, genAppKey, lorawan } = device;
    const pb = this.#pb.device;
    const service = this.#client.services.device;
    const keys = new pb.DeviceKeys();
    keys.setDevEui(devEui.toLowerCase());
    // To ChirpStack the root key of a 1.0 device is its NwkKey.
    keys.setNwkKey(nwkKey.toLowerCase());
    keys.setAppKey(lorawan === '1.1' ? appKey.toLowerCase() : '0'.repeat(32));
    keys.setGenAppKey(lorawan === '1.1' ? '0'.repeat(32) : genAppKey.toLowerCase());
    const get = new pb.GetDeviceKeysRequest();
    get.setDevEui(devEui.toLowerCase());
    type Answer = InstanceType<typeof pb.GetDeviceKeysResponse>;
    const found = isThere
      ? await this.#client.find<typeof service, typeof get, Answer>(
          service,
          (each) => each.getKeys,
          get,
        )
      : undefined;
    const before = found?.getDeviceKeys();
    const isSame =
      before?.getNwkKey() === keys.getNwkKey() &&
      (lorawan === '1.1' ? before.getAppKey() === keys.getAppKey() : true) &&
      (lorawan === '1.1' ? true : before.getGenAppKey() === keys.getGenAppKey());
    if (isSame) return false;
    if (this.#dryRun) return isThere;
    const request = before ? new pb.UpdateDeviceKeysRequest() : new pb.CreateDeviceKeysRequest();
    request.setDeviceKeys(keys);
    const method = (each: typeof service) => (before ? each.updateKeys : each.createKeys);
    await this.#client.call(service, method, request);
    return isThere;
  }

  /** A device of a new session counts its DevNonce from the start again. */
  async #forgetNonces({ devEui }: DeviceKeys): Promise<void> {
    const request = new this.#pb.device.FlushDevNoncesRequest();
    request.setDevEui(devEui.toLowerCase());
    const { device } = this.#client.services;
    await this.#client.call(device, (each) => each.flushDevNonces, request);
  }

  async #activate({ devEui, session }: DeviceKeys): Promise<void> {
    const { DeviceActivation, ActivateDeviceRequest } = this.#pb.device;
    const { devAddr, nwkSKey, appSKey } = session!;
    const activation = new DeviceActivation();
    activation.setDevEui(devEui.toLowerCase());
    activation.setDevAddr(devAddr.toLowerCase());
    activation.setAppSKey(appSKey.toLowerCase());
    for (const set of ['setNwkSEncKey', 'setSNwkSIntKey', 'setFNwkSIntKey'] as const) {
      activation[set](nwkSKey.toLowerCase());
    }
    const request = new ActivateDeviceRequest();
    request.setDeviceActivation(activation);
    const { device } = this.#client.services;
    await this.#client.call(device, (each) => each.activate, request);
  }

  // ── and away again ─────────────────────────────────────────────────────────────────────────────

  /** Removes what bears the tag of this scenario, and the tenant once it has nothing left. */
  async clean(): Promise<Provisioned> {
    const tenantId = (await this.#tenants()).get(TENANT);
    if (tenantId !== undefined) await this.#cleanTenant(tenantId);
    const { lines, created, updated, unchanged } = this.#account;
    return { lines, created, updated, unchanged, applicationId: '' };
  }

  async #cleanTenant(tenantId: string): Promise<void> {
    const { application: applications, device, gateway, profile } = this.#pb;
    const { services } = this.#client;
    const own = await this.#applications(tenantId);
    const applicationId = own.get(this.#label);
    if (applicationId !== undefined) {
      await this.#cleanDevices(applicationId, device);
      const request = new applications.DeleteApplicationRequest();
      request.setId(applicationId);
      await this.#remove(`application ${this.#label}`, services.application, request);
    }
    for (const [name, id] of await this.#profiles(tenantId)) {
      if (!name.startsWith(`${this.#label}: `)) continue;
      const request = new profile.DeleteDeviceProfileRequest();
      request.setId(id);
      await this.#remove(`profile ${name}`, services.profile, request);
    }
    for (const eui of await this.#taggedGateways(tenantId)) {
      const request = new gateway.DeleteGatewayRequest();
      request.setGatewayId(eui);
      await this.#remove(`gateway ${eui}`, services.gateway, request);
    }
    await this.#cleanEmptyTenant(tenantId);
  }

  async #cleanDevices(applicationId: string, pb: Messages['device']): Promise<void> {
    const service = this.#client.services.device;
    const own = new Set(this.#fleet.devices.map(({ devEui }) => devEui.toLowerCase()));
    for (let offset = 0; ; ) {
      const request = new pb.ListDevicesRequest();
      request.setLimit(MOST_LISTED);
      request.setOffset(offset);
      request.setApplicationId(applicationId);
      type Answer = InstanceType<typeof pb.ListDevicesResponse>;
      const list: Answer = await this.#client.call(service, (each) => each.list, request);
      const found = list.getResultList().map((each) => each.getDevEui());
      const others = found.filter((eui) => !own.has(eui));
      if (others.length > 0) {
        throw new BridgeFault(
          `application ${this.#label} has devices that are none of the scenario, such as ` +
            `${others[0]}; nothing was removed`,
        );
      }
      if (found.length === 0) return;
      await forEachAtOnce(found, async (eui) => {
        const removal = new pb.DeleteDeviceRequest();
        removal.setDevEui(eui);
        await this.#remove(`device ${eui}`, service, removal);
      });
      if (this.#dryRun) offset += found.length;
    }
  }

  async #taggedGateways(tenantId: string): Promise<readonly string[]> {
    const { GetGatewayRequest } = this.#pb.gateway;
    const { gateway } = this.#client.services;
    type Found = InstanceType<Messages['gateway']['GetGatewayResponse']>;
    const tagged: string[] = [];
    await forEachAtOnce(await this.#gateways(tenantId), async (each) => {
      const get = new GetGatewayRequest();
      get.setGatewayId(each.getGatewayId());
      const found = await this.#client.find<typeof gateway, typeof get, Found>(
        gateway,
        (one) => one.get,
        get,
      );
      const tag = found?.getGateway()?.getTagsMap().get(TAG);
      if (tag === this.#label) tagged.push(each.getGatewayId());
    });
    return tagged.sort();
  }

  async #cleanEmptyTenant(tenantId: string): Promise<void> {
    const { DeleteTenantRequest } = this.#pb.tenant;
    const rest = [await this.#applications(tenantId), await this.#profiles(tenantId)];
    if (this.#dryRun || rest.some(({ size }) => size > 0)) return;
    const { gateway } = this.#client.services;
    const { ListGatewaysRequest, ListGatewaysResponse: _ } = this.#pb.gateway;
    const request = new ListGatewaysRequest();
    request.setLimit(1);
    request.setTenantId(tenantId);
    type Answer = InstanceType<typeof _>;
    const list: Answer = await this.#client.call(gateway, (each) => each.list, request);
    if (list.getTotalCount() > 0) return;
    const removal = new DeleteTenantRequest();
    removal.setId(tenantId);
    await this.#remove(`tenant ${TENANT}`, this.#client.services.tenant, removal);
  }

  async #remove<Service extends { readonly delete: unknown }, Request>(
    what: string,
    service: Service,
    request: Request,
  ): Promise<void> {
    this.#account.updated++;
    this.#account.lines.push(`${what}: removed`);
    if (!this.#dryRun) await this.#client.find(service, (each) => each.delete, request);
  }
}

/** Removes what `provision` made of this fleet. */
export async function clean(fleet: Fleet, options: ProvisionOptions): Promise<Provisioned> {
  const client = new ChirpStackClient(options);
  try {
    await client.logIn();
    return await new Provisioning(client, fleet, options.dryRun).clean();
  } finally {
    client.close();
  }
}

const profileName = (label: string, { name }: FleetProfile): string => `${label}: ${name}`;
