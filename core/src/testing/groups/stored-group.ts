/**
 * A server's state of one group for tests of succession: it accepts exactly valid changes
 * (docs/spec/crypto.md §19.7), and deletes the grant of a removed member.
 */
import { expect } from 'vitest';
import { decodeBase64, encodeHex } from '../../crypto/bytes.ts';
import { type KeyChain, followCertificates, type CertificateWire } from '../../domain/keyring/certificate.ts';
import { type GrantWire, type NewGroupKeyWire, createGroupKeys } from '../../domain/groups/group-keys.ts';
import type { AddedMemberWire, ChangedRoleWire, SharedGroup } from '../../domain/groups/member-change.ts';
import type { Role } from '../../domain/policy.ts';
import { checkRoster, commitmentsOf, type LinkedRoster, linkBack } from '../../domain/rosters/roster-chain.ts';
import {
  type RosterWire,
  hashRoster,
  readRoster,
  verifyRoster,
  type RosterProofWire,
} from '../../domain/rosters/roster.ts';
import type { RotationWire } from '../../domain/groups/rotation.ts';
import type { TestPerson } from '../keyrings.ts';

interface StoredMember {
  readonly person: TestPerson;
  readonly role: Role;
}

export class StoredGroup {
  readonly groupId: string;
  readonly members = new Map<string, StoredMember>();
  readonly rosters: (RosterWire & RosterProofWire & { readonly signer_certificate: CertificateWire })[] = [];
  grants: GrantWire[] = [];
  gkVersion = 1;
  gkCommit = '';

  constructor(groupId: string) {
    this.groupId = groupId;
  }

  static async create(maker: TestPerson, others: readonly StoredMember[] = []): Promise<StoredGroup> {
    const group = new StoredGroup(crypto.randomUUID());
    const all = [{ person: maker, role: 'admin' as const }, ...others];
    const members = all.map(({ person, role }) => ({ identity: person.keyring.identity, role }));
    const { wire } = await createGroupKeys(maker.keyring, { groupId: group.groupId, members, now: 0 });
    for (const member of all) group.members.set(member.person.userId, member);
    await group.takeKey(maker, wire, 1);
    return group;
  }

  private async takeKey(signer: TestPerson, wire: NewGroupKeyWire, version: number): Promise<void> {
    expect(wire.grants.map(({ user_id }) => user_id).toSorted()).toEqual([...this.members.keys()].toSorted());
    this.gkVersion = version;
    this.gkCommit = encodeHex(decodeBase64(wire.gk_commit_base64));
    await this.takeRoster(signer, wire);
    for (const { user_id, encrypted_aes_password } of wire.grants) this.grant(user_id, version, encrypted_aes_password);
  }

  private grant(user_id: string, gk_version: number, encrypted_aes_password_base64: string): void {
    this.grants.push({ user_id, gk_version, alg: 'rsa-oaep-256', encrypted_aes_password_base64 });
  }

  private async takeRoster(
    signer: TestPerson,
    {
      roster_base64,
      roster_sig_base64,
      roster_proof_base64 = null,
      roster_proof_prev_base64 = null,
    }: Partial<RosterWire> & Partial<RosterProofWire>,
  ) {
    if (roster_base64 === undefined || roster_sig_base64 === undefined) expect.fail('no roster');
    const proofs = { roster_proof_base64, roster_proof_prev_base64 };
    const wire = { roster_base64, roster_sig_base64, ...proofs, signer_certificate: signer.bundle.certificate };
    const content = await verifyRoster(wire, this.groupId);
    const newest = await this.newest();
    const present = newest === null ? null : { seq: newest.content.seq, hash: newest.hash };
    const members = [...this.members.values()].map(({ person: { userId, keyring }, role }) => ({
      userId,
      role,
      fingerprint: keyring.fingerprint,
    }));
    const after = { gkVersion: this.gkVersion, gkCommit: this.gkCommit, members };
    expect(checkRoster(content, present, after)).toBeNull();
    this.rosters.push(wire);
  }

  async newest(): Promise<LinkedRoster | null> {
    const wire = this.rosters.at(-1);
    if (wire === undefined) return null;
    const bytes = decodeBase64(wire.roster_base64);
    return { content: readRoster(bytes), hash: await hashRoster(bytes) };
  }

  /** All rosters, reached from the newest by their hashes. */
  async linked(): Promise<LinkedRoster[]> {
    const newest = await this.newest();
    return newest === null ? [] : linkBack(newest, this.rosters);
  }

  async commitments() {
    return commitmentsOf(await this.linked(), this.rosters);
  }

  async seenBy({ userId }: TestPerson): Promise<SharedGroup> {
    const grants = this.grants.filter(({ user_id }) => user_id === userId);
    return { groupId: this.groupId, roster: await this.newest(), gkVersion: this.gkVersion, grants };
  }

  /** The list of members that the server shows, with their certificates. */
  listed(): Promise<KeyChain[]> {
    return Promise.all(
      [...this.members.values()].map(({ person }) => followCertificates(person.bundle.certificate, [])),
    );
  }

  async add(signer: TestPerson, person: TestPerson, wire: AddedMemberWire): Promise<void> {
    const isNew = !this.members.has(person.userId);
    this.members.set(person.userId, { person, role: wire.role });
    await this.takeRoster(signer, wire);
    expect([wire.target_user_id, wire.recipient_fpr, wire.gk_version]).toEqual([
      person.userId,
      person.keyring.fingerprint,
      this.gkVersion,
    ]);
    if (isNew) this.grant(person.userId, wire.gk_version, wire.encrypted_aes_password);
  }

  async changeRole(
    signer: TestPerson,
    { target_user_id, role, gk_version, ...roster }: ChangedRoleWire,
  ): Promise<void> {
    const member = this.members.get(target_user_id) ?? expect.fail('no member');
    expect(gk_version).toBe(this.gkVersion);
    this.members.set(target_user_id, { ...member, role });
    await this.takeRoster(signer, roster);
  }

  remove(userId: string): void {
    this.members.delete(userId);
    this.grants = this.grants.filter(({ user_id }) => user_id !== userId);
  }

  async rotate(signer: TestPerson, wire: RotationWire): Promise<void> {
    expect([wire.base_gk_version, wire.gk_version]).toEqual([this.gkVersion, this.gkVersion + 1]);
    await this.takeKey(signer, wire, wire.gk_version);
  }
}
