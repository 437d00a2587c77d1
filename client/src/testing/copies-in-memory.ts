/**
 * Local copies of a browser in memory. Like IndexedDB it outlives keyrings; tests can change its content, as
 * a thief could.
 */
import type { CopyRecord, CopyStore, KeptBody, SeenPiece, StoredPiece } from '../keyring/copy/copy-store.ts';
import type { DeviceKey } from '../keyring/device-seal.ts';

export interface CopiesInMemory extends CopyStore {
  readonly kept: {
    readonly records: Map<string, CopyRecord>;
    readonly pieces: Map<string, StoredPiece[]>;
    readonly seen: Map<string, SeenPiece>;
    readonly bodies: Map<string, Map<string, KeptBody>>;
  };
}

export function copiesInMemory(): CopiesInMemory {
  const records = new Map<string, CopyRecord>();
  const pieces = new Map<string, StoredPiece[]>();
  const seen = new Map<string, SeenPiece>();
  const bodies = new Map<string, Map<string, KeptBody>>();
  let device: DeviceKey | null = null;
  const lastStep = (name: string) => pieces.get(name)?.at(-1)?.step ?? 0;
  return {
    kept: { records, pieces, seen, bodies },
    records: async () => [...records.values()],
    names: async () => [...records.keys()],
    record: async (name) => records.get(name) ?? null,
    async create(name, record) {
      const kept = records.get(name) ?? record;
      records.set(name, kept);
      return kept;
    },
    async change(name, change) {
      const present = records.get(name);
      if (present !== undefined) records.set(name, { ...present, ...change });
    },
    pieces: async (name) => structuredClone(pieces.get(name) ?? []),
    lastStep: async (name) => lastStep(name),
    async add(name, piece, { after, isWhole }) {
      if (lastStep(name) !== after || !records.has(name)) return false;
      pieces.set(name, [...(isWhole ? [] : (pieces.get(name) ?? [])), piece]);
      seen.set(name, { step: piece.step, timestamp: piece.timestamp });
      return true;
    },
    seen: async (name) => seen.get(name),
    body: async (name, fieldId) => bodies.get(name)?.get(fieldId) ?? null,
    bodies: async (name) => [...(bodies.get(name)?.values() ?? [])],
    async keepBody(name, body) {
      if (records.has(name)) bodies.set(name, new Map([...(bodies.get(name) ?? []), [body.fieldId, body]]));
    },
    async dropBodies(name, fieldIds) {
      for (const fieldId of fieldIds) bodies.get(name)?.delete(fieldId);
    },
    async wipeParts(name) {
      const record = records.get(name);
      if (record !== undefined) records.set(name, { ...record, key: null, salt: null });
      for (const kept of [pieces, seen, bodies]) kept.delete(name);
    },
    async remove(name) {
      for (const kept of [records, pieces, seen, bodies]) kept.delete(name);
    },
    async sweep() {
      for (const kept of [pieces, seen, bodies])
        for (const name of kept.keys()) if (!records.has(name)) kept.delete(name);
    },
    async deviceKey(make) {
      const made = device ?? (await make());
      return (device ??= made);
    },
  };
}
