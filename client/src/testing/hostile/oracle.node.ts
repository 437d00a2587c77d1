/** Finds what attackers can open of everything that clients sent: tries each wrap with each of their keys, with real cryptography. */
import { decodeBase64, encodeHex } from '@passwordbroker/core/crypto/bytes';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { openField } from '@passwordbroker/core/domain/fields/field';
import {
  deriveGroupKey,
  type GroupKey,
  type GroupSecret,
  unwrapGroupSecret,
  wrapGroupSecret,
} from '@passwordbroker/core/domain/groups/grants';
import type { Attackers } from './attackers.node.ts';
import type { Past, PastRevision } from './past.node.ts';

/** A request that the server received. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly browser: number;
  readonly unlock: number;
  /** The person's operation during which it was sent; null: unasked. */
  readonly act: string | null;
  /** Number of decisions that the person had taken by then. */
  readonly decisions: number;
  /** By group id: highest sequence number that this browser had been shown by then, or that its record names. */
  readonly seen: ReadonlyMap<string, number>;
  /** Ids of groups that the browser's record named at the unlock. */
  readonly rows: ReadonlySet<string>;
}

/** A revision that was sealed, or rewrapped for another group or version. */
interface SealedPiece extends Omit<PastRevision, 'groupId'> {
  readonly sent: Sent;
  readonly kind: 'new' | 'rewrap';
  /** Null: taking back a move names no group. */
  readonly groupId: string | null;
}

/** A value that attackers can open, or the secret of a group that they did not have. */
export type Leak =
  | {
      readonly kind: 'new' | 'rewrap';
      readonly sent: Sent;
      readonly groupId: string;
      readonly gkVersion: number;
      readonly text: string;
      readonly piece: string;
    }
  | { readonly kind: 'secret'; readonly sent: Sent; readonly place: string };

const WRITES = /^(POST|PUT|PATCH)$/;
const FIELD = /entryGroups\/([0-9a-f-]{36})\/entries\/([0-9a-f-]{36})\/fields(?:\/([0-9a-f-]{36}))?$/;
const GROUP = /entryGroups\/([0-9a-f-]{36})\//;

interface Raw {
  readonly [member: string]: unknown;
}
const text = (value: unknown) => (typeof value === 'string' ? value : '');
const rows = (value: unknown) => (Array.isArray(value) ? (value as Raw[]) : []);

type Known = Pick<Past, 'revisions' | 'secrets' | 'groups'>;
type Theirs = Pick<Attackers, 'ghost' | 'secrets' | 'groups' | 'keyrings'>;

export function createOracle(past: Known, attackers: Theirs) {
  const all: Sent[] = [];
  const values = new Map(past.revisions.map((one) => [`${one.fieldId} ${one.rev}`, one]));
  const pieces: SealedPiece[] = [];

  function hearField(sent: Sent, body: Raw) {
    const [, groupId, entryId, inPath] = FIELD.exec(sent.path) ?? [];
    const fieldId = inPath ?? text(body['field_id']);
    if (groupId === undefined || entryId === undefined || text(body['cek_wrapped']) === '') return;
    const piece = {
      sent,
      kind: 'new' as const,
      groupId,
      entryId,
      fieldId,
      type: (text(body['type']) || (values.get(`${fieldId} 1`)?.type ?? 'password')) as FieldType,
      rev: Number(body['rev']),
      gkVersion: Number(body['gk_version']),
      cekBase64: text(body['cek_wrapped']),
      valueBase64: text(body['value_encrypted']),
    };
    pieces.push(piece);
    values.set(`${fieldId} ${piece.rev}`, piece);
  }

  function hearRewraps(sent: Sent, body: Raw) {
    const inPath = GROUP.exec(sent.path)?.[1] ?? null;
    const groupId = sent.path.includes('/bulkEdit/move') ? text(body['entryGroupTarget']) : inPath;
    for (const row of rows(body['rewraps'])) {
      const known = values.get(`${text(row['field_id'])} ${Number(row['rev'])}`);
      if (known === undefined) continue;
      const { entryId, fieldId, type, rev, valueBase64 } = known;
      const gkVersion = Number(body['target_gk_version'] ?? body['gk_version']);
      const cekBase64 = text(row['cek_wrapped']);
      pieces.push({ sent, kind: 'rewrap', groupId, entryId, fieldId, type, rev, valueBase64, gkVersion, cekBase64 });
    }
  }

  return {
    sent: all as readonly Sent[],
    hear(sent: Sent) {
      if (!WRITES.test(sent.method)) return;
      all.push(sent);
      const body = (sent.body ?? {}) as Raw;
      hearField(sent, body);
      hearRewraps(sent, body);
    },

    /** Requests with a wrap that one of their keys opens. */
    async openedWraps(): Promise<readonly Sent[]> {
      const length = await wrapLength(attackers);
      const opened: Sent[] = [];
      for (const sent of all) {
        for (const wrap of wrapsIn(sent.body, length)) {
          if ((await openedBy(attackers, wrap)) !== null) opened.push(sent);
        }
      }
      return opened;
    },

    /** Everything that they can open, beyond what they could at the end of the past. */
    async leaks(): Promise<readonly Leak[]> {
      const found: Leak[] = [];
      const real = new Map([...past.secrets].map(([place, secret]) => [encodeHex(secret), place]));
      const known = new Map([...attackers.secrets].map((secret) => [encodeHex(secret), secret]));
      const length = await wrapLength(attackers);
      for (const sent of all) {
        for (const wrap of wrapsIn(sent.body, length)) {
          const secret = await openedBy(attackers, wrap);
          if (secret === null || known.has(encodeHex(secret))) continue;
          known.set(encodeHex(secret), secret);
          const place = real.get(encodeHex(secret));
          // An unknown secret is new: it counts when a value is sealed under it.
          if (place !== undefined) found.push({ kind: 'secret', sent, place });
        }
      }
      const keys = new Map<string, Promise<GroupKey>>();
      const keyOf = (name: string, secret: GroupSecret, groupId: string, version: number) => {
        const full = `${name} ${groupId} ${version}`;
        const key = keys.get(full) ?? deriveGroupKey(secret, groupId, version);
        keys.set(full, key);
        return key;
      };
      const anyGroup = [
        ...new Set([
          ...attackers.groups,
          ...past.groups.map(({ id }) => id),
          ...pieces.flatMap(({ groupId }) => groupId ?? []),
        ]),
      ];
      for (const piece of pieces) {
        const { kind, sent, gkVersion, fieldId, rev } = piece;
        for (const groupId of piece.groupId === null ? anyGroup : [piece.groupId]) {
          for (const [name, secret] of known) {
            const opened = await openPiece(await keyOf(name, secret, groupId, gkVersion), piece, groupId);
            if (opened === null) continue;
            found.push({ kind, sent, groupId, gkVersion, text: opened, piece: `${fieldId} ${rev}` });
          }
        }
      }
      return found;
    },
  };
}

export type Oracle = ReturnType<typeof createOracle>;

let knownLength = 0;
async function wrapLength({ ghost }: Theirs): Promise<number> {
  if (knownLength === 0) {
    knownLength = (await wrapGroupSecret(new Uint8Array(64) as GroupSecret, ghost.keyring.identity)).length;
  }
  return knownLength;
}

/** Every text of the body that is as long as a wrapped secret. */
function wrapsIn(body: unknown, length: number): string[] {
  if (typeof body === 'string') return Math.abs(body.length - (length * 4) / 3) <= 4 ? [body] : [];
  if (typeof body !== 'object' || body === null) return [];
  return Object.values(body).flatMap((inner) => wrapsIn(inner, length));
}

async function openedBy({ keyrings }: Theirs, base64: string): Promise<GroupSecret | null> {
  for (const keyring of keyrings) {
    try {
      return await unwrapGroupSecret(keyring, decodeBase64(base64));
    } catch {
      // Of another key.
    }
  }
  return null;
}

async function openPiece(key: GroupKey, piece: SealedPiece, entryGroupId: string): Promise<string | null> {
  const { entryId, fieldId, type, rev, gkVersion, cekBase64, valueBase64 } = piece;
  const envelope = {
    rev,
    gk_version: gkVersion,
    cek_wrapped_base64: cekBase64,
    encrypted_value_base64: valueBase64,
  };
  try {
    const content = await openField(key, { entryGroupId, entryId, fieldId, type, rev }, envelope);
    return 'value' in content ? new TextDecoder().decode(content.value) : '';
  } catch {
    return null;
  }
}
