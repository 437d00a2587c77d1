/**
 * Operations on members and keys as our own client makes them: with functions of the core, through
 * the API.
 */
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import type { Certificate, GroupUser } from '@passwordbroker/core/contract/entities';
import * as members from '@passwordbroker/core/contract/groups/members';
import { certificates } from '@passwordbroker/core/contract/users/users';
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { type PublicIdentity, verifyCertificate } from '@passwordbroker/core/domain/keyring/certificate';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import type { SignedMember } from '@passwordbroker/core/domain/groups/group-keys';
import {
  type ProvedListWire,
  type SharedGroup,
  addMember,
  changeRole,
  signAgain,
} from '@passwordbroker/core/domain/groups/member-change';
import type { Role } from '@passwordbroker/core/domain/policy';
import { hashRoster, verifyRoster } from '@passwordbroker/core/domain/rosters/roster';
import { commitmentsOf, linkBack } from '@passwordbroker/core/domain/rosters/roster-chain';
import { openGroupVersions, rewrapRows, startRotation } from '@passwordbroker/core/domain/groups/rotation';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { callWithProof } from '../../testing/test-proof.ts';

export interface Sharing {
  /** The group as this person's client sees it. */
  view(person: SignedIn, g: string): Promise<{ shared: SharedGroup; members: SignedMember[] }>;
  /** The body that adds a person, or changes the role of a member. */
  bodyOf(admin: SignedIn, g: string, target: { readonly userId: string }, role: Role): Promise<object>;
  add(admin: SignedIn, g: string, target: { readonly userId: string }, role: Role): Promise<GroupUser>;
  remove(admin: SignedIn, g: string, target: { readonly userId: string }): Promise<unknown>;
  /** The body that signs the present members again. */
  signing(admin: SignedIn, g: string): Promise<ProvedListWire>;
  rotation(admin: SignedIn, g: string): Promise<{ groupKey: GroupKey; body: object }>;
  rotate(admin: SignedIn, g: string): Promise<{ entry_group_id: string; gk_version: number; pending: number }>;
  /** Sends one batch of the second phase; returns the remaining number. */
  batch(admin: SignedIn, g: string, limit?: number): Promise<{ pending: number; written: number }>;
  /** Both phases. */
  rotateAll(admin: SignedIn, g: string): Promise<void>;
  /** The keys of all versions that the person can open. */
  keys(person: SignedIn, g: string): Promise<ReadonlyMap<number, GroupKey>>;
}

export function sharing(app: Pick<TestApp, 'deps'>): Sharing {
  // Each key is checked once, as in our client.
  const checked = new Map<string, Promise<PublicIdentity>>();
  const identityOf = (certificate: Certificate) => {
    const text = JSON.stringify(certificate);
    const known = checked.get(text) ?? verifyCertificate(certificate);
    checked.set(text, known);
    return known;
  };
  const certificateOf = async (person: SignedIn, userId: string) => {
    const known = targets.get(userId) ?? (await person.call(certificates, { params: { id: userId } })).certificate;
    targets.set(userId, known);
    return known;
  };
  const targets = new Map<string, Certificate>();
  const view: Sharing['view'] = async (person, g) => {
    const [wire, listed] = await Promise.all([
      person.call(groups.roster, { params: { g } }),
      person.call(groups.members, { params: { g } }),
    ]);
    const newest = wire.rosters.at(-1);
    const roster =
      newest === undefined
        ? null
        : { content: await verifyRoster(newest, g), hash: await hashRoster(decodeBase64(newest.roster_base64)) };
    const signed = await Promise.all(
      listed.map(async ({ certificate, role }) => {
        if (certificate === null) throw new Error('A member without keys');
        return { identity: await identityOf(certificate), role };
      }),
    );
    return { shared: { groupId: g, roster, gkVersion: wire.gk_version, grants: wire.grants }, members: signed };
  };
  const bodyOf: Sharing['bodyOf'] = async (admin, g, { userId }, role) => {
    const now = app.deps.clock.now();
    const { shared, members: present } = await view(admin, g);
    const isMember = present.some(({ identity }) => identity.userId === userId);
    if (isMember) return changeRole(admin.keyring, shared, { userId, role, members: present, now });
    const member = { identity: await identityOf(await certificateOf(admin, userId)), role };
    return addMember(admin.keyring, shared, { member, members: present, now });
  };
  const signing: Sharing['signing'] = async (admin, g) => {
    const { shared, members: present } = await view(admin, g);
    const { roster } = shared;
    if (roster === null) throw new Error('A group without a list');
    return signAgain(admin.keyring, { ...shared, roster }, { members: present, now: app.deps.clock.now() });
  };
  const rotation: Sharing['rotation'] = async (admin, g) => {
    const { shared, members: present } = await view(admin, g);
    const now = app.deps.clock.now();
    const { groupKey, wire } = await startRotation(admin.keyring, shared, { members: present, now });
    return { groupKey, body: wire };
  };
  const rotate: Sharing['rotate'] = async (admin, g) =>
    callWithProof(app, admin, members.rotate, { params: { g }, body: (await rotation(admin, g)).body });
  const keys: Sharing['keys'] = async (person, g) => {
    const answer = await person.call(groups.roster, { params: { g }, query: { from: 0 } });
    const { rosters, grants, gk_version: gkVersion } = answer;
    const group = { groupId: g, grants, gkVersion };
    const newest = rosters.at(-1);
    if (newest === undefined) return (await openGroupVersions(person.keyring, group, null)).keys;
    const content = await verifyRoster(newest, g);
    const linked = await linkBack({ content, hash: await hashRoster(decodeBase64(newest.roster_base64)) }, rosters);
    return (await openGroupVersions(person.keyring, group, commitmentsOf(linked, rosters))).keys;
  };
  const batch: Sharing['batch'] = async (admin, g, limit = 500) => {
    const todo = await callWithProof(app, admin, members.pending, { params: { g }, query: { limit } });
    const open = await keys(admin, g);
    const present = open.get(todo.gk_version);
    if (present === undefined) throw new Error('No present key');
    const { rewraps } = await rewrapRows(todo.rows, open, present);
    const body = { gk_version: todo.gk_version, rewraps };
    return callWithProof(app, admin, members.rewraps, { params: { g }, body });
  };
  return {
    view,
    bodyOf,
    signing,
    rotation,
    rotate,
    keys,
    batch,
    add: async (admin, g, target, role) =>
      callWithProof(app, admin, members.add, { params: { g }, body: await bodyOf(admin, g, target, role) }),
    remove: (admin, g, { userId }) => admin.call(members.remove, { params: { g, u: userId } }),
    async rotateAll(admin, g) {
      for (let { pending } = await rotate(admin, g); pending > 0;) ({ pending } = await batch(admin, g));
    },
  };
}
