/**
 * An attacker who changes rows of the database while the program is honest (T120, T121): the
 * attacker's keys, the changes, and the values that become readable.
 */
import { type Kysely, sql } from 'kysely';
import { decodeBase64, encodeHex, randomBytes, utf8 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { openField, sealField } from '@passwordbroker/core/domain/fields/field';
import {
  GRANT_ALGORITHM,
  type GroupKey,
  type GroupSecret,
  commitmentOf,
  createGroupSecret,
  deriveGroupKey,
  unwrapGroupSecret,
  wrapGroupSecret,
} from '@passwordbroker/core/domain/groups/grants';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import {
  hashRoster,
  readRoster,
  type RosterContent,
  type RosterMember,
  signRoster,
  proveRoster,
} from '@passwordbroker/core/domain/rosters/roster';
import { type Signer, createSharedRsa, createSigner } from '@passwordbroker/core/testing/signers';
import type { Transact } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';
import type { TestApp } from '../../testing/test-app.ts';

interface Victim {
  readonly userId: string;
  readonly keyring: Keyring;
}

interface OwnList {
  readonly groupId: string;
  readonly seq: number;
  readonly prev: string;
  readonly version: number;
  readonly commit: string;
  readonly members: readonly RosterMember[];
  /** Of the key version; null if the attacker does not have it. */
  readonly secret: GroupSecret | null;
  readonly by: Signer;
  readonly isCertificateKept?: boolean;
}

/** Stores this key as the person's present one, without a signature of the former key. */
export async function exchangeKey(
  db: Kysely<Tables>,
  userId: string,
  { certificate, keyring }: Pick<Signer, 'certificate' | 'keyring'>,
): Promise<void> {
  const row = {
    user_id: userId,
    keyset_version: certificate.keyset_version,
    ed25519: Buffer.from(certificate.ed25519_base64, 'base64'),
    rsa_spki: Buffer.from(certificate.rsa_spki_base64, 'base64'),
    fpr: keyring.fingerprint,
    prev_fpr: certificate.prev_fpr,
    sig: Buffer.from(certificate.sig_base64, 'base64'),
    sig_prev: null,
    created_at: 1,
  };
  await db.insertInto('user_certificates').values(row).execute();
  await db.updateTable('user_keysets').set({ fpr: keyring.fingerprint }).where('user_id', '=', userId).execute();
}

export class Attacker {
  private readonly app: TestApp;
  private readonly rsa: Awaited<ReturnType<typeof createSharedRsa>>;
  /** Secrets made by the attacker, by group and version. */
  private readonly made = new Map<string, { groupId: string; version: number; secret: GroupSecret }>();
  /** Grants that the attacker tried to open, by their bytes. */
  private readonly tried = new Map<string, GroupSecret | null>();
  readonly ghost: Signer;

  private constructor(app: TestApp, rsa: Awaited<ReturnType<typeof createSharedRsa>>, ghost: Signer) {
    this.app = app;
    this.rsa = rsa;
    this.ghost = ghost;
  }

  /** @param userId account whose present key the attacker replaces */
  static async of(app: TestApp, userId: string): Promise<Attacker> {
    const rsa = await createSharedRsa();
    const attacker = new Attacker(app, rsa, await createSigner(rsa, userId));
    await attacker.exchangeKey(userId, attacker.ghost);
    return attacker;
  }

  private change<T>(work: (tx: Transact) => Promise<T>): Promise<T> {
    return this.app.deps.db.transact(work);
  }

  /** Drops the checks of the database itself, as an attacker with write access can. */
  async dropChecks(): Promise<void> {
    for (const table of ['group_grants', 'field_revisions']) {
      const name = `${table}_gk_version_least`;
      const statements =
        this.app.deps.db.dialect === 'sqlite'
          ? [`drop trigger ${name}_insert`, `drop trigger ${name}_update`]
          : [`alter table ${table} drop constraint ${name}`];
      for (const statement of statements) await this.change((tx) => sql.raw(statement).execute(tx));
    }
  }

  /** Stores the attacker's key as the present one of this person. */
  async exchangeKey(userId: string, made?: Signer): Promise<void> {
    const signer = made ?? (await createSigner(this.rsa, userId));
    await this.change((tx) => exchangeKey(tx, userId, signer));
  }

  /** Adds a row of a member without a list that names them. */
  async addRowOf(groupId: string, userId: string): Promise<void> {
    const { newId } = this.app.deps;
    await this.change((tx) =>
      tx
        .insertInto('group_members')
        .values({ id: newId(), entry_group_id: groupId, user_id: userId, role: 'admin', created_at: 1, updated_at: 1 })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  }

  async grant(
    groupId: string,
    { person, version, secret }: { person: Victim; version: number; secret: GroupSecret },
  ): Promise<void> {
    const wrapped = Buffer.from(await wrapGroupSecret(secret, person.keyring.identity));
    await this.change(async (tx) => {
      await tx
        .deleteFrom('group_grants')
        .where('entry_group_id', '=', groupId)
        .where('gk_version', '=', version)
        .where('user_id', '=', person.userId)
        .execute();
      await tx
        .insertInto('group_grants')
        .values({
          entry_group_id: groupId,
          gk_version: version,
          user_id: person.userId,
          alg: GRANT_ALGORITHM,
          wrapped,
          role: 'admin',
          recipient_fpr: person.keyring.fingerprint,
          granted_by: this.ghost.userId,
          created_at: 1,
        })
        .execute();
    });
  }

  secrets(): Set<GroupSecret> {
    return new Set([...this.made.values()].map(({ secret }) => secret));
  }

  makeSecret(groupId: string, version: number): GroupSecret {
    const secret = createGroupSecret();
    this.made.set(`${groupId} ${version} ${encodeHex(secret)}`, { groupId, version, secret });
    return secret;
  }

  /** Deletes the lists, as if the server had made the group; with a person, also plants a key for them. */
  async hideLists(groupId: string, person: Victim | null): Promise<void> {
    await this.change(async (tx) => {
      await tx.deleteFrom('group_rosters').where('entry_group_id', '=', groupId).execute();
      const columns = { origin: 'server', roster_seq: null } as const;
      await tx.updateTable('entry_groups').set(columns).where('entry_group_id', '=', groupId).execute();
    });
    if (person === null) return;
    const { version } = await this.versionOf(groupId);
    await this.grant(groupId, { person, version, secret: this.makeSecret(groupId, version) });
  }

  private async versionOf(groupId: string): Promise<{ version: number }> {
    const { gk_version: version } = await this.app.deps.db.read
      .selectFrom('entry_groups')
      .select('gk_version')
      .where('entry_group_id', '=', groupId)
      .executeTakeFirstOrThrow();
    return { version };
  }

  private async newest(groupId: string): Promise<{ content: RosterContent; hash: string } | null> {
    const row = await this.app.deps.db.read
      .selectFrom('group_rosters')
      .select('bytes')
      .where('entry_group_id', '=', groupId)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return null;
    const bytes = new Uint8Array(row.bytes);
    return { content: readRoster(bytes), hash: await hashRoster(bytes) };
  }

  private readonly ghostRow = (): RosterMember => ({
    userId: this.ghost.userId,
    role: 'admin',
    fingerprint: this.ghost.keyring.fingerprint,
  });

  /** Appends a list signed by the ghost, who is admin in it, under the present group key. */
  async appendGhost(groupId: string): Promise<void> {
    const before = await this.newest(groupId);
    if (before === null) return;
    const { seq, gkVersion: version, gkCommit: commit, members } = before.content;
    const others = members.filter(({ userId }) => userId !== this.ghost.userId);
    await this.putList({
      groupId,
      seq: seq + 1,
      prev: before.hash,
      version,
      commit,
      members: [...others, this.ghostRow()],
      secret: null,
      by: this.ghost,
    });
    await this.addRowOf(groupId, this.ghost.userId);
  }

  /**
   * Adds a next key version made by the attacker. `gap`: after one more list whose signer's
   * certificate is missing. `anew`: as a new chain.
   */
  async rotate(groupId: string, person: Victim, how: 'next' | 'gap' | 'anew'): Promise<void> {
    const before = await this.newest(groupId);
    if (before === null) return;
    const { content } = before;
    const others = content.members.filter(({ userId }) => userId !== this.ghost.userId);
    const members = [...others, this.ghostRow()];
    const version = how === 'anew' ? content.gkVersion : content.gkVersion + 1;
    const secret = this.makeSecret(groupId, version);
    const commit = encodeHex(await commitmentOf(secret, groupId, version));
    const common = { groupId, version, commit, members, secret };
    if (how === 'anew') {
      await this.change((tx) => tx.deleteFrom('group_rosters').where('entry_group_id', '=', groupId).execute());
      await this.putList({ ...common, seq: 0, prev: '', by: this.ghost });
    } else if (how === 'next') {
      await this.putList({ ...common, seq: content.seq + 1, prev: before.hash, by: this.ghost });
    } else {
      const lost = await createSigner(this.rsa, crypto.randomUUID());
      const lostRow = { userId: lost.userId, role: 'admin', fingerprint: lost.keyring.fingerprint } as const;
      await this.putList({
        ...common,
        members: [...members, lostRow],
        seq: content.seq + 1,
        prev: before.hash,
        by: lost,
      });
      const hash = (await this.newest(groupId))?.hash ?? '';
      await this.putList({ ...common, seq: content.seq + 2, prev: hash, by: this.ghost });
    }
    await this.addRowOf(groupId, this.ghost.userId);
    await this.grant(groupId, { person, version, secret });
    await this.change((tx) =>
      tx.updateTable('entry_groups').set({ gk_version: version }).where('entry_group_id', '=', groupId).execute(),
    );
  }

  private async putList({ groupId, seq, prev, version, commit, members, secret, by }: OwnList): Promise<void> {
    const signed = await signRoster(by.keyring, {
      groupId,
      seq,
      prev,
      gkVersion: version,
      gkCommit: commit,
      members,
      ts: 1,
      hasProof: true,
    });
    const list = { groupId, version, rosterBase64: signed.roster_base64 };
    const proof = secret === null ? Buffer.from(randomBytes(32)) : decodeBase64(await proveRoster(secret, list));
    const row = {
      entry_group_id: groupId,
      seq,
      bytes: Buffer.from(signed.roster_base64, 'base64'),
      sig: Buffer.from(signed.roster_sig_base64, 'base64'),
      signer: by.userId,
      signer_fpr: by.keyring.fingerprint,
      created_at: 1,
      proof: Buffer.from(proof),
      proof_prev: Buffer.from(randomBytes(32)),
    };
    await this.change(async (tx) => {
      await tx.insertInto('group_rosters').values(row).execute();
      await tx.updateTable('entry_groups').set({ roster_seq: seq }).where('entry_group_id', '=', groupId).execute();
    });
  }

  async dropNewestList(groupId: string): Promise<void> {
    const seq = (await this.newest(groupId))?.content.seq ?? 0;
    if (seq === 0) return;
    await this.change(async (tx) => {
      await tx.deleteFrom('group_rosters').where('entry_group_id', '=', groupId).where('seq', '=', seq).execute();
      await tx
        .updateTable('entry_groups')
        .set({ roster_seq: seq - 1 })
        .where('entry_group_id', '=', groupId)
        .execute();
    });
  }

  /** Plants a value of the attacker under a key version that no list names. */
  async plantValue(
    place: { readonly g: string; readonly e: string; readonly f: string },
    person: Victim,
    version: number,
  ): Promise<void> {
    const secret = this.makeSecret(place.g, version);
    await this.grant(place.g, { person, version, secret });
    const key = await deriveGroupKey(secret, place.g, version);
    const at = { entryGroupId: place.g, entryId: place.e, fieldId: place.f, type: 'note', rev: 1 } as const;
    const value = utf8('planted');
    const sealed = await sealField(key, at, { type: 'note', title: 't', value });
    await this.change((tx) =>
      tx
        .updateTable('field_revisions')
        .set({
          gk_version: version,
          cek_wrapped: Buffer.from(sealed.cek_wrapped, 'base64'),
          value: Buffer.from(sealed.value_encrypted, 'base64'),
        })
        .where('field_id', '=', place.f)
        .where('rev', '=', 1)
        .execute(),
    );
  }

  /** Sets another name and another parent; null: no parent. */
  async rename(groupId: string, name: string, parentId: string | null): Promise<void> {
    const path = parentId === null || parentId === groupId ? groupId : `${parentId}.${groupId}`;
    await this.change((tx) =>
      tx
        .updateTable('entry_groups')
        .set({ name, name_folded: name.toLowerCase(), materialized_path: path })
        .where('entry_group_id', '=', groupId)
        .execute(),
    );
  }

  async setVersion(groupId: string, gk_version: number): Promise<void> {
    await this.change((tx) =>
      tx.updateTable('entry_groups').set({ gk_version }).where('entry_group_id', '=', groupId).execute(),
    );
  }

  /** Makes the journal say that these entries came from that group. */
  async nameOrigin(operationId: string, groupId: string): Promise<void> {
    await this.change(async (tx) => {
      const { detail } = await tx
        .selectFrom('operations')
        .select('detail')
        .where('operation_id', '=', operationId)
        .executeTakeFirstOrThrow();
      const changed = JSON.stringify({ ...(JSON.parse(detail) as object), from_group: groupId });
      await tx.updateTable('operations').set({ detail: changed }).where('operation_id', '=', operationId).execute();
    });
  }

  /** Replaces the person's document; null removes it. */
  async putDocument(userId: string, document: { readonly n: number; readonly blob: Buffer } | null): Promise<void> {
    await this.change(async (tx) => {
      await tx.deleteFrom('user_documents').where('user_id', '=', userId).where('name', '=', 'trust').execute();
      if (document !== null) {
        await tx
          .insertInto('user_documents')
          .values({ user_id: userId, name: 'trust', ...document })
          .execute();
      }
    });
  }

  document(userId: string) {
    return this.app.deps.db.read
      .selectFrom('user_documents')
      .select(['n', 'blob'])
      .where('user_id', '=', userId)
      .where('name', '=', 'trust')
      .executeTakeFirst();
  }

  /**
   * Every value of the database that the attacker can read: with secrets the attacker made, and
   * with those of each grant their key opens.
   */
  async readable(): Promise<string[]> {
    const { read } = this.app.deps.db;
    const secrets = [...this.made.values()];
    for (const { entry_group_id: groupId, gk_version: version, wrapped } of await read
      .selectFrom('group_grants')
      .select(['entry_group_id', 'gk_version', 'wrapped'])
      .execute()) {
      const text = wrapped.toString('base64');
      const known = this.tried.get(text);
      const secret =
        known !== undefined ? known : await orNull(unwrapGroupSecret(this.ghost.keyring, decodeBase64(text)));
      this.tried.set(text, secret);
      if (secret !== null) secrets.push({ groupId, version, secret });
    }
    const keys: GroupKey[] = [];
    for (const { groupId, version, secret } of secrets) keys.push(await deriveGroupKey(secret, groupId, version));
    const revisions = await read
      .selectFrom('field_revisions')
      .innerJoin('fields', 'fields.field_id', 'field_revisions.field_id')
      .innerJoin('entries', 'entries.entry_id', 'fields.entry_id')
      .select(['entries.entry_group_id', 'fields.entry_id', 'fields.field_id', 'fields.type', 'field_revisions.rev'])
      .select(['field_revisions.gk_version', 'field_revisions.cek_wrapped', 'field_revisions.value'])
      .execute();
    const values: string[] = [];
    for (const row of revisions) {
      for (const key of keys.filter(
        ({ groupId, version }) => groupId === row.entry_group_id && version === row.gk_version,
      )) {
        const at = {
          entryGroupId: row.entry_group_id,
          entryId: row.entry_id,
          fieldId: row.field_id,
          type: row.type,
          rev: row.rev,
        };
        const content = await orNull(
          openField(key, at, {
            rev: row.rev,
            gk_version: row.gk_version,
            cek_wrapped_base64: row.cek_wrapped.toString('base64'),
            encrypted_value_base64: row.value.toString('base64'),
          }),
        );
        if (content !== null && content.type !== 'file') values.push(Buffer.from(content.value).toString());
      }
    }
    return values;
  }
}

async function orNull<T>(opening: Promise<T>): Promise<T | null> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof CryptoError) return null;
    throw error;
  }
}
