/** The caller's trust record during one request (ADR 24). */
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { openDocument, sealDocument } from '@passwordbroker/core/domain/keyring/documents';
import { type Keyring, keyringOf } from '@passwordbroker/core/domain/keyring/keyring';
import { mergeTrust } from '@passwordbroker/core/domain/trust/merge-trust';
import { compactTrustRecord, readTrustRecord, type TrustRecord } from '@passwordbroker/core/domain/trust/trust-record';
import type { Transact } from '../../db/database.ts';
import type { Deps } from '../../http/context.ts';
import { readSiteSettings } from '../../platform/site-settings-repository.ts';
import { findDocument, storeDocument } from '../../users/keys/key-repository.ts';
import { recordOfDatabase } from './first-record.ts';

type Documents = KeyBundle['documents'];

/** `n`: the version that it replaces. */
interface SealedRecord {
  readonly record: TrustRecord;
  readonly n: number;
  readonly blob: string;
}

export class CallerTrust {
  private readonly deps: Deps;
  private readonly keyring: Keyring;
  private readonly documents: Documents;
  private opening: Promise<TrustRecord> | null = null;
  /** The stored record; null without one. */
  private before: TrustRecord | null = null;
  /** As last opened or written; `restart` returns to it. */
  private base: TrustRecord | null = null;
  private present: TrustRecord | null = null;
  /** Stored version; 0 for none. */
  private n = 0;

  /** @param keyring may be locked before the record is written */
  constructor(deps: Deps, keyring: Keyring, documents: Documents) {
    this.deps = deps;
    this.keyring = keyringOf(keyring.identity, keyring.keys(), keyring);
    this.documents = documents;
  }

  /**
   * The record with this request's changes; for an account of release 1.0 made from the database.
   * @throws AppError `trust_record_missing` if it does not open, or is missing although the keyset was made
   * with one
   */
  async record(): Promise<TrustRecord> {
    this.opening ??= this.open();
    await this.opening;
    return this.opened();
  }

  /** `now` is in seconds. Call `record` before. */
  change(next: (record: TrustRecord, now: number) => TrustRecord): void {
    this.present = next(this.opened(), Math.floor(this.deps.clock.now() / 1000));
  }

  /** Drops changes that are not written. */
  restart(): void {
    this.present = this.base;
  }

  /** Whether only compared keys count. Call `record` before. */
  isStrict(): boolean {
    return this.opened().strict[0];
  }

  private opened(): TrustRecord {
    if (this.present === null) throw new Error('The trust record was not opened');
    return this.present;
  }

  private async open(): Promise<TrustRecord> {
    const opened = await this.openStored();
    const { require_verified_members: isRequired } = await readSiteSettings(this.deps);
    // Stored, so that a later change of the site's setting does not end it.
    this.base = isRequired && !opened.strict[0] ? withStrictness(opened, this.deps.clock.now()) : opened;
    this.present = this.base;
    return this.base;
  }

  private async openStored(): Promise<TrustRecord> {
    const stored = this.documents.find(({ name }) => name === 'trust');
    if (stored !== undefined) {
      this.n = stored.version;
      this.before = await this.read(stored.version, stored.blob_base64 ?? '');
      return this.before;
    }
    if (this.keyring.isMadeWithRecord) throw new AppError('trust_record_missing');
    const pins = this.documents.find(({ name }) => name === 'pins');
    return recordOfDatabase(this.deps, this.keyring, pins);
  }

  private async read(n: number, blob: string): Promise<TrustRecord> {
    try {
      return await openDocument(this.keyring, { name: 'trust', n }, blob, readTrustRecord);
    } catch (error) {
      throw error instanceof CryptoError ? new AppError('trust_record_missing') : error;
    }
  }

  /** The changed record, or null. Sealing is slow: call it outside of a transaction. */
  async sealed(): Promise<SealedRecord | null> {
    const { present, n } = this;
    return present === null || present === this.before ? null : this.seal(present, n);
  }

  private async seal(record: TrustRecord, n: number): Promise<SealedRecord> {
    return {
      record,
      n,
      blob: await sealDocument(this.keyring, { name: 'trust', n: n + 1 }, compactTrustRecord(record)),
    };
  }

  /**
   * Merges with a record that was written meanwhile. Pass the result to `written`.
   * @throws AppError `trust_record_missing` if the stored one was removed or does not open; as
   * `storeDocument`
   */
  async write(tx: Transact, mine: SealedRecord): Promise<SealedRecord> {
    const { userId } = this.keyring;
    const stored = await findDocument({ read: tx }, userId, 'trust');
    const n = stored?.n ?? 0;
    const isBehind = n !== mine.n;
    if (isBehind && stored === undefined) throw new AppError('trust_record_missing');
    const sealed =
      isBehind && stored !== undefined
        ? await this.seal(mergeTrust(await this.read(n, stored.blob.toString('base64')), mine.record), n)
        : mine;
    await storeDocument(tx, {
      userId,
      name: 'trust',
      blob: Buffer.from(sealed.blob, 'base64'),
      replaced: n,
      version: n + 1,
    });
    return sealed;
  }

  async save(): Promise<void> {
    const sealed = await this.sealed();
    if (sealed !== null) this.written(await this.deps.db.transact((tx) => this.write(tx, sealed)));
  }

  /** Call after the commit. */
  written({ record, n }: SealedRecord): void {
    this.n = n + 1;
    this.before = record;
    this.base = record;
    this.present = record;
  }
}

function withStrictness(record: TrustRecord, now: number): TrustRecord {
  const since = Math.max(Math.floor(now / 1000), record.strict[1] + 1);
  return { ...record, at: Math.max(record.at, since), strict: [true, since] };
}
