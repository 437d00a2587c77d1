import * as z from 'zod/mini';
import type { Skipped } from '@passwordbroker/core/contract/entities';
import {
  BATCH_MOST,
  ImportBatch,
  ImportField,
  importedTree,
  intoGroups,
  type ImportUpdate,
} from '@passwordbroker/core/contract/entries/import';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { encodePieces } from '@passwordbroker/core/crypto/bytes';
import { findList, type JsonList } from '../http/body/json-list.ts';
import { refuseForbiddenNames } from '../http/body/names.ts';
import { examine, refuseFindings } from '../http/validation.ts';
import { portions } from '../db/portions.ts';
import { discard, sha256 } from '../platform/ids-and-digests.ts';
import type { TakeBody } from './batch-fields.ts';
import { misplaced } from './batch-problem.ts';
import type { BodyPart, SealedSource, StoredSource } from './import-job.ts';
import { IMPORT_BOUNDS, refuseDenseJson } from '../http/body/json-shape.ts';

export interface BatchHead {
  readonly groups: ImportBatch['groups'];
  readonly entries: ImportBatch['entries'];
  readonly skipped: readonly Skipped[];
  /** Null for a tree of its own. */
  readonly into: BatchInto | null;
}

/** Members of a batch for existing groups, with sealed updates. */
export interface BatchInto {
  readonly into: string;
  readonly targets: NonNullable<ImportBatch['targets']>;
  readonly sameMembers: boolean;
  readonly existing: NonNullable<ImportBatch['existing_entries']>;
  readonly updates: readonly ImportUpdate[];
}

/** New fields, or next revisions of fields. */
interface FieldPortion {
  readonly fields: ImportBatch['fields'];
  readonly updates: readonly ImportUpdate[];
}

export interface BatchSource {
  /** Identifies repeated requests. */
  readonly digest: Buffer;
  head(): Promise<BatchHead>;
  portions(): AsyncIterable<FieldPortion>;
  readonly takeBody: TakeBody;
}

const PORTION = 250;
const { groups, entries, skipped } = ImportBatch.shape;
const Name = z.object({ name: importedTree.name });
const { into, same_members, targets, existing_entries, updates } = intoGroups;
const Into = z.object({ into, same_members });
const Portion = z.array(ImportField);

/** Reads a batch in portions; empties `json`. Its methods throw AppError `bad_request`, `validation`, `bad_sealed_value`. */
export function sealedSource({ json, isWholeBody, bodies }: SealedSource): BatchSource {
  const parts = new Map(bodies.map((body) => [body.part, body.bytes]));
  return batchSource({
    digest: digestOf(json, bodies),
    count: 1,
    isWholeBody,
    json: () => Promise.resolve(json),
    async takeBody(name) {
      const bytes = parts.get(name);
      parts.delete(name);
      return bytes;
    },
  });
}

/**
 * As `sealedSource`, with one part and one sealed file in memory at a time. Such an import makes new entries only: what goes into existing ones
 * is written by one transaction.
 * @param read of the body store. @throws AppError `not_found` from its methods if the import was dropped meanwhile
 */
export function storedSource(
  { batches, bodies }: StoredSource,
  read: (sha256: string) => Promise<Uint8Array>,
): BatchSource {
  const left = new Map(bodies);
  return batchSource({
    digest: sha256(encodePieces([...batches, ...[...bodies].flat()])),
    count: batches.length,
    isWholeBody: false,
    json: (at) => read(batches[at] ?? ''),
    async takeBody(name) {
      const stored = left.get(name);
      left.delete(name);
      return stored === undefined ? undefined : read(stored);
    },
  });
}

interface BatchParts {
  readonly digest: Buffer;
  readonly count: number;
  readonly isWholeBody: boolean;
  /** Of the part with this index. */
  json(at: number): Promise<Uint8Array>;
  readonly takeBody: TakeBody;
}

/** For scripts: the web client sends none. */
const PARTS_ARE_NEW = 'An import in parts makes new entries only.';
const LATER_MEMBERS = new Set(['fields']);

function batchSource(parts: BatchParts): BatchSource {
  let first: { readonly fields: Fields; readonly json: Uint8Array } | null = null;
  let waiting: readonly ImportUpdate[] = [];
  let count = 0;
  const readPart = async (at: number) => {
    const json = await parts.json(at);
    refuseDenseJson(json, IMPORT_BOUNDS);
    const list = findList(json, parts.isWholeBody ? ['batch', 'fields'] : ['fields']);
    const batch = readBatch(list?.around() ?? json, parts.isWholeBody);
    const fields = fieldsOf(batch['fields'], list);
    if (fields === null || (count += fields.length) > BATCH_MOST.fields)
      throw refuse('batch.fields', TEXTS.list('fields'));
    const more = at === 0 ? undefined : Object.keys(batch).find((name) => !LATER_MEMBERS.has(name));
    if (more !== undefined) throw refuse(`batch.${more}`, TEXTS.unexpected(more.replaceAll('_', ' ')));
    return { batch, fields, json };
  };
  async function* readFields({ fields, json }: NonNullable<typeof first>, before: number) {
    for (let start = 0; start < fields.length; start += PORTION) {
      yield { fields: fields.portion(start, before), updates: [] };
    }
    discard(json);
  }
  return {
    digest: parts.digest,
    takeBody: parts.takeBody,
    async head() {
      const { batch, ...rest } = await readPart(0);
      first = rest;
      const read = readInto(batch);
      const tree = read === null ? readUnder('batch', Name, batch).name : null;
      const head = {
        groups: readList('groups', read === null ? importedTree.groups : groups, batch['groups']),
        entries: readList('entries', entries, batch['entries']),
        skipped: readList('skipped', skipped, batch['skipped']),
      };
      const isNamed = tree === null || head.groups[0]?.name === tree;
      if (!isNamed) throw misplaced('The name must be that of the first group.', 'batch', 'name');
      for (const member of parts.count === 1 ? [] : (['existing', 'updates'] as const)) {
        if ((read?.[member].length ?? 0) > 0) throw refuse('batch', PARTS_ARE_NEW);
      }
      waiting = read?.updates ?? [];
      return { ...head, into: read };
    },
    async *portions() {
      if (first === null) throw new TypeError('Call head() before portions()');
      let before = first.fields.length;
      yield* readFields(first, 0);
      first = null;
      for (let at = 1; at < parts.count; at += 1) {
        const next = await readPart(at);
        yield* readFields(next, before);
        before += next.fields.length;
      }
      for (const some of portions(waiting, PORTION)) {
        yield { fields: [], updates: some };
      }
    },
  };
}

/** Covers the JSON and all bodies with their names. */
function digestOf(json: Uint8Array, bodies: readonly BodyPart[]): Buffer {
  const pieces = bodies.flatMap(({ part, bytes }) => [part, sha256(bytes)]);
  return sha256(encodePieces([sha256(json), ...pieces]));
}

function readBatch(json: Uint8Array, isWholeBody: boolean): Record<string, unknown> {
  const root = parse(json);
  refuseForbiddenNames(root);
  if (!isWholeBody) return asBatch(root);
  const { batch, master_password } = root as { batch?: unknown; master_password?: unknown };
  if ((master_password ?? null) !== null) throw refuse('master_password', TEXTS.unexpected('master password'));
  return asBatch(batch);
}

interface Fields {
  readonly length: number;
  /** @param before how many fields other parts have, for errors */
  portion(start: number, before: number): ImportField[];
}

/** Null if `rest` is no list. */
function fieldsOf(rest: unknown, list: JsonList | null): Fields | null {
  if (!Array.isArray(rest)) return null;
  // `JSON.parse` takes the last of repeated names.
  if (list !== null && rest.length > 0) throw new AppError('bad_request');
  if (list === null)
    return {
      length: rest.length,
      portion: (start, before) => readPortion(rest.slice(start, start + PORTION), before + start),
    };
  return {
    length: list.length,
    portion(start, before) {
      const portion = parseText(list.portion(start, PORTION));
      refuseForbiddenNames(portion);
      return readPortion(portion, before + start);
    },
  };
}

const readPortion = (portion: unknown, start: number) => readUnder('batch.fields', Portion, portion, start);

function parseText(json: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json)) as unknown;
  } catch {
    throw new AppError('bad_request');
  }
}

function parse(json: Uint8Array): object {
  const root = parseText(json);
  if (typeof root !== 'object' || root === null || Array.isArray(root)) throw new AppError('bad_request');
  return root;
}

function asBatch(raw: unknown): Record<string, unknown> {
  if (raw === undefined || raw === null) throw refuse('batch', TEXTS.required('batch'));
  if (typeof raw !== 'object' || Array.isArray(raw)) throw refuse('batch', TEXTS.malformed('batch'));
  return raw as Record<string, unknown>;
}

/** @param start position of the first element, for errors */
function readUnder<S extends z.core.$ZodType>(path: string, schema: S, raw: unknown, start = 0): z.output<S> {
  const found = examine(schema, raw);
  const errors = Object.fromEntries(
    Object.entries(found.errors).map(([key, texts]) => [`${path}.${shifted(key, start)}`, texts]),
  );
  refuseFindings({ ...found, errors });
  return found.value as z.output<S>;
}

/** Null unless the batch has `into`. */
function readInto(batch: Record<string, unknown>): BatchInto | null {
  const { into: groupId, same_members: sameMembers = false } = readUnder('batch', Into, batch);
  if (groupId === undefined) return null;
  return {
    into: groupId,
    sameMembers,
    targets: readList('targets', targets, batch['targets']) ?? [],
    existing: readList('existing_entries', existing_entries, batch['existing_entries']) ?? [],
    updates: readList('updates', updates, batch['updates']) ?? [],
  };
}

/** Reports the first bad portion only. */
function readList<S extends z.core.$ZodType<unknown[] | undefined>>(
  member: Exclude<keyof typeof BATCH_MOST, 'fields'>,
  schema: S,
  raw: unknown,
): z.output<S> {
  if (!Array.isArray(raw) || raw.length <= PORTION) {
    const read: Record<string, unknown> = readUnder('batch', z.object({ [member]: schema }), { [member]: raw });
    return read[member] as z.output<S>;
  }
  const most = BATCH_MOST[member];
  if (raw.length > most) throw misplaced(`The ${member} is too long (at most ${most}).`, 'batch', member);
  const found: unknown[] = [];
  for (let start = 0; start < raw.length; start += PORTION) {
    for (const one of readUnder(`batch.${member}`, schema, raw.slice(start, start + PORTION), start) ?? [])
      found.push(one);
  }
  return found as z.output<S>;
}

const shifted = (key: string, start: number) => key.replace(/^\d+/, (position) => String(Number(position) + start));
