/**
 * A team that works on two groups like clients and a server would, with real sealing and signatures
 * (P18).
 */
import { expect } from 'vitest';
import { utf8 } from '../../crypto/bytes.ts';
import type { Pins } from '../../domain/trust/pins.ts';
import { pinOf } from './judged-roster.ts';
import type { AcceptedRoster } from '../../domain/rosters/accepted-rosters.ts';
import { type FieldContext, openField, rewrapField, sealField } from '../../domain/fields/field.ts';
import type { GroupKey } from '../../domain/groups/grants.ts';
import { addMember, changeRole, continueMembers } from '../../domain/groups/member-change.ts';
import type { Role } from '../../domain/policy.ts';
import { acceptRoster } from './judged-roster.ts';
import { openGroupVersions, rewrapRows, startRotation } from '../../domain/groups/rotation.ts';
import type { TestPerson } from '../keyrings.ts';
import { errorCodeOf } from '../error-code.ts';
import { StoredGroup } from './stored-group.ts';

interface Revision {
  place: FieldContext;
  readonly text: string;
  gkVersion: number;
  cek: string;
  readonly value: string;
  /** Keys of members who were removed before a rotation that preceded this revision. */
  readonly closedTo: readonly GroupKey[];
}

/** Keys that a removed member still has. */
interface Stolen {
  readonly groupId: string;
  readonly keys: readonly GroupKey[];
  isRotatedAway: boolean;
}

export class Team {
  readonly people: readonly TestPerson[];
  readonly groups: StoredGroup[] = [];
  readonly revisions: Revision[] = [];
  private readonly trash = new Set<string>();
  private readonly stolen: Stolen[] = [];
  private readonly accepted = new Map<string, AcceptedRoster>();
  private readonly pins: Pins;
  private written = 0;

  constructor(people: readonly TestPerson[]) {
    this.people = people;
    this.pins = new Map(people.map(({ userId, keyring: { fingerprint } }) => [userId, pinOf(fingerprint, 'words')]));
  }

  async found(makers: readonly TestPerson[]): Promise<void> {
    for (const maker of makers) this.groups.push(await StoredGroup.create(maker));
  }

  /** Accepts the newest roster on this person's device and opens all keys. */
  async look(person: TestPerson, group: StoredGroup) {
    const name = `${person.userId} ${group.groupId}`;
    const accepted = this.accepted.get(name) ?? null;
    const acceptance = await acceptRoster({
      groupId: group.groupId,
      answer: { origin: 'client', rosters: group.rosters.slice(accepted?.seq ?? 0) },
      accepted,
      pins: this.pins,
      certificates: [],
      self: person.keyring,
    });
    if (acceptance.state !== 'accepted' || acceptance.newest === null) expect.fail(`not accepted: ${acceptance.state}`);
    const { content, hash } = acceptance.newest;
    this.accepted.set(name, { seq: content.seq, hash });
    const seen = { ...(await group.seenBy(person)), roster: acceptance.newest };
    const { keys, locked } = await openGroupVersions(person.keyring, seen, await group.commitments());
    expect(locked).toEqual([]);
    const { members, unsure } = continueMembers(content, await group.listed(), () => 'not-compared');
    expect(unsure).toEqual([]);
    const present = keys.get(content.gkVersion) ?? expect.fail('no present key');
    return { seen, keys, members, present };
  }

  private of(group: StoredGroup): Revision[] {
    return this.revisions.filter(({ place }) => place.entryGroupId === group.groupId);
  }

  async add(by: TestPerson, group: StoredGroup, person: TestPerson, role: Role, now: number): Promise<void> {
    const { seen, members } = await this.look(by, group);
    if (group.members.has(person.userId)) {
      const { userId } = person;
      await group.changeRole(by, await changeRole(by.keyring, seen, { userId, role, members, now }));
      return;
    }
    const member = { identity: person.keyring.identity, role };
    await group.add(by, person, await addMember(by.keyring, seen, { member, members, now }));
    // The new member has only the current version, so older wraps are renewed at once.
    await this.rewrapAll(by, group);
  }

  async remove(group: StoredGroup, person: TestPerson): Promise<void> {
    const { keys } = await this.look(person, group);
    this.stolen.push({ groupId: group.groupId, keys: [...keys.values()], isRotatedAway: false });
    group.remove(person.userId);
  }

  /** Both phases, or only the first; the next rotation or addition completes the second then. */
  async rotate(by: TestPerson, group: StoredGroup, isInterrupted: boolean, now: number): Promise<void> {
    const { seen, members } = await this.look(by, group);
    const { wire } = await startRotation(by.keyring, seen, { members, now });
    await group.rotate(by, wire);
    for (const one of this.stolen) if (one.groupId === group.groupId) one.isRotatedAway = true;
    if (!isInterrupted) await this.rewrapAll(by, group);
  }

  private async rewrapAll(by: TestPerson, group: StoredGroup): Promise<void> {
    const { keys, present } = await this.look(by, group);
    const pending = this.of(group).filter(({ gkVersion }) => gkVersion !== present.version);
    const rows = pending.map(({ place, gkVersion, cek }) => ({
      entry_id: place.entryId,
      field_id: place.fieldId,
      type: place.type,
      rev: place.rev,
      gk_version: gkVersion,
      cek_wrapped_base64: cek,
    }));
    const { rewraps, skipped } = await rewrapRows(rows, keys, present);
    expect(skipped).toEqual([]);
    for (const [at, { cek_wrapped }] of rewraps.entries())
      Object.assign(pending[at] ?? {}, { cek: cek_wrapped, gkVersion: present.version });
    group.grants = group.grants.filter(({ gk_version }) => gk_version === present.version);
  }

  /** Writes a new field, or the next revision of one that is not in the trash. */
  async write(by: TestPerson, group: StoredGroup, drawn: number): Promise<void> {
    const { present } = await this.look(by, group);
    const living = this.of(group).filter(({ place }) => !this.trash.has(place.entryId));
    const former = drawn % 2 === 0 ? undefined : living[drawn % Math.max(1, living.length)];
    const newest = living.filter(({ place }) => place.fieldId === former?.place.fieldId).at(-1)?.place;
    const entryGroupId = group.groupId;
    const fresh = {
      entryGroupId,
      entryId: crypto.randomUUID(),
      fieldId: crypto.randomUUID(),
      type: 'note',
      rev: 1,
    } as const;
    const place = newest === undefined ? fresh : { ...newest, rev: newest.rev + 1 };
    const text = `written ${(this.written += 1)}`;
    const sealed = await sealField(present, place, { type: 'note', title: 't', value: utf8(text) });
    const gone = this.stolen.filter(({ groupId, isRotatedAway }) => groupId === entryGroupId && isRotatedAway);
    this.revisions.push({
      place,
      text,
      gkVersion: sealed.gk_version,
      cek: sealed.cek_wrapped,
      value: sealed.value_encrypted,
      closedTo: gone.flatMap(({ keys }) => keys),
    });
  }

  async move(by: TestPerson, from: StoredGroup, to: StoredGroup, drawn: number): Promise<void> {
    const { keys } = await this.look(by, from);
    const { present } = await this.look(by, to);
    const entries = [...new Set(this.of(from).map(({ place }) => place.entryId))].filter((id) => !this.trash.has(id));
    const entryId = entries[drawn % Math.max(1, entries.length)];
    for (const revision of this.of(from).filter(({ place }) => place.entryId === entryId)) {
      const key = keys.get(revision.gkVersion) ?? expect.fail('no key of that version');
      revision.cek = await rewrapField(key, present, revision.place, revision.cek);
      revision.gkVersion = present.version;
      revision.place = { ...revision.place, entryGroupId: to.groupId };
    }
  }

  /** Moves an entry to the trash or back; no key changes. */
  toss(group: StoredGroup, drawn: number): void {
    const entries = [...new Set(this.of(group).map(({ place }) => place.entryId))];
    const entryId = entries[drawn % Math.max(1, entries.length)];
    if (entryId === undefined) return;
    if (!this.trash.delete(entryId)) this.trash.add(entryId);
  }

  /**
   * Checks that members open every value, with history and trash, and that removed members open
   * nothing newer.
   */
  async check(): Promise<void> {
    for (const group of this.groups) {
      for (const { person } of group.members.values()) {
        const { keys } = await this.look(person, group);
        for (const revision of this.of(group)) {
          const key = keys.get(revision.gkVersion) ?? expect.fail('no key of that version');
          const content = await openField(key, revision.place, envelopeOf(revision));
          expect(content).toMatchObject({ value: utf8(revision.text) });
        }
      }
    }
    for (const revision of this.revisions) {
      for (const key of revision.closedTo) {
        expect(await errorCodeOf(() => openField(key, revision.place, envelopeOf(revision)))).toBe('commit');
      }
    }
  }
}

const envelopeOf = ({ place, gkVersion, cek, value }: Revision) => ({
  rev: place.rev,
  gk_version: gkVersion,
  cek_wrapped_base64: cek,
  encrypted_value_base64: value,
});
