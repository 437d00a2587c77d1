/** Values are answered as base64 text (docs/spec/api.md §3.9). */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { decrypted, historyDecrypted } from '@passwordbroker/core/contract/entries/fields';
import type { BodyOf, Endpoint } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import { openField, openFile } from '@passwordbroker/core/domain/fields/field';
import type { FieldContent } from '@passwordbroker/core/domain/fields/payload';
import { findRevOfHistoryRow } from '../../fields/reveal-repository.ts';
import { recordReveal } from '../../fields/reveal.ts';
import { media } from '../../http/answer/answer.ts';
import type { Media } from '../../http/answer/answer.ts';
import type { Context, Deps } from '../../http/context.ts';
import { withCallerKeyring } from '../caller-keyring.ts';
import { openKeyOfRevision } from './field-change.ts';

type Reveal<E extends Endpoint> = Context<E, BodyOf<E>>;

/** Reveals the current revision. */
export function revealValue(context: Reveal<typeof decrypted>): Promise<Media> {
  return reveal(context, context.field.rev);
}

/** @throws AppError `not_found` for history rows without a revision */
export async function revealHistory(context: Reveal<typeof historyDecrypted>): Promise<Media> {
  const { deps, field, params } = context;
  const rev = await findRevOfHistoryRow(deps.db, field.field_id, params.logId);
  if (rev === null) throw new AppError('not_found');
  return reveal(context, rev);
}

type Anything = Pick<Reveal<typeof decrypted>, 'deps' | 'actor' | 'origin' | 'group' | 'entry' | 'field' | 'body'>;

/** A file keeps its slot until it is sent or the caller is gone: bounds memory. */
function reveal(context: Anything, rev: number): Promise<Media> {
  if (context.field.type !== 'file') return revealOnce(context, rev);
  return new Promise((resolve, reject) => {
    context.deps.fileReveals
      .run(async () => {
        const answer = await revealOnce(context, rev);
        resolve(answer);
        if (answer.body instanceof Readable) await finished(answer.body).catch(() => {});
      })
      .catch(reject);
  });
}

async function revealOnce(context: Anything, rev: number): Promise<Media> {
  const { actor, origin, group, entry, field, body } = context;
  return withCallerKeyring(context, body.master_password, async ({ keyring, deps }) => {
    const { field_id: fieldId, type } = field;
    const found = { groupId: group.entry_group_id, entryId: entry.entry_id, fieldId };
    const { revision, groupKey } = await openKeyOfRevision(deps, keyring, group, { fieldId, rev });
    const place = { entryGroupId: group.entry_group_id, entryId: entry.entry_id, fieldId, type, rev };
    const content = await openField(groupKey, place, {
      rev,
      gk_version: revision.gk_version,
      cek_wrapped_base64: revision.cek_wrapped.toString('base64'),
      encrypted_value_base64: revision.value.toString('base64'),
    });
    const bytes = await plainBytes(deps, fieldId, content, revision.body_sha256);
    // Recorded once the value opens, committed before it is sent.
    await deps.db.transact((tx) => recordReveal(tx, deps, { actor, origin, place: found, rev }));
    const plain = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return type === 'file' ? media(Readable.from(base64Of(plain))) : media(wholeBase64Of(plain));
  });
}

/** A multiple of three, so that base64 portions can be joined. */
const PORTION = 3 * 64 * 1024;

function* base64Of(bytes: Buffer): Generator<string> {
  try {
    for (let at = 0; at < bytes.length; at += PORTION) yield bytes.subarray(at, at + PORTION).toString('base64');
  } finally {
    bytes.fill(0);
  }
}

const wholeBase64Of = (bytes: Buffer): string => [...base64Of(bytes)].join('');

async function plainBytes(deps: Deps, fieldId: string, content: FieldContent, bodyName: string | null) {
  if (content.type !== 'file') return content.value;
  if (bodyName === null) throw new AppError('integrity_error');
  return openFile(fieldId, content.file, readBody(deps, bodyName));
}

async function* readBody(deps: Deps, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* deps.bodies.open(name) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw isGone ? new AppError('integrity_error') : error;
  }
}
