import { LIMITS as VAULT } from '../limits.ts';
import { countUnsupportedOfEntry } from './unsupported.ts';
import type { Attachments } from './attachments.ts';
import { KEEPASS_LIMITS as LIMITS } from './limits.ts';
import { contentsOf } from './map-entry.ts';
import type { RawBinary, RawEntry } from './raw.ts';
import { changesOver, versionsOf } from './revisions.ts';
import { readKeepassTime, shorten } from './values.ts';
import type { PlainContent, SkippedCounter, TreeField, TreeRevision } from './tree.ts';

export interface FieldReader {
  read(entry: RawEntry): Promise<TreeField[]>;
}

export function fieldReader(attachments: Attachments, skipped: SkippedCounter): FieldReader {
  let bodies = 0;

  const filesOf = async (versions: readonly RawEntry[]): Promise<TreeField[]> => {
    if (versions.every(({ binaries }) => binaries.length === 0)) return [];
    const { changes, gone } = changesOver(
      versions.map((version) => ({ contents: binariesOf(version), at: timeOf(version) })),
      isSameBinary,
    );
    if (gone > 0) skipped.add('attachment', 'removed before, only in the history', gone);
    const fields: TreeField[] = [];
    for (const past of changes.values()) {
      const revisions: TreeRevision[] = [];
      for (const { content: binary, at } of past) {
        if (!attachments.has(binary)) skipped.add('attachment', 'its content is not in the file');
        else if ((bodies += 1) > LIMITS.bodies)
          skipped.add('attachment', `beyond the first ${LIMITS.bodies} of one import`);
        else revisions.push({ content: await fileOf(binary, attachments), at });
      }
      if (revisions.length > 0) fields.push({ type: 'file', revisions });
    }
    return fields;
  };

  const remark = (kind: string, reason: string) => skipped.add(kind, reason);

  return {
    async read(entry) {
      const { versions, leftOut } = versionsOf(entry);
      if (leftOut > 0)
        skipped.add('version', `of an entry with more than ${LIMITS.history}, the oldest of them`, leftOut);
      countUnsupportedOfEntry(versions, skipped);
      const { changes, gone } = changesOver(
        versions.map((version) => ({
          contents: contentsOf(version, version === entry ? remark : () => undefined),
          at: timeOf(version),
        })),
        isSameContent,
      );
      if (gone > 0) skipped.add('field', 'removed before, only in the history', gone);
      const texts = [...changes.values()].map((past) => fieldOf(past));
      return [...texts, ...(await filesOf(versions))];
    },
  };
}

const timeOf = (version: RawEntry) => readKeepassTime(version.times.modified);

function fieldOf(past: readonly TreeRevision[]): TreeField {
  const type = past.at(-1)?.content.type ?? 'note';
  return { type, revisions: past.map(({ content, at }) => ({ content: contentAs(type, content), at })) };
}

/** A string that was protected in some versions is a password there and a note elsewhere. */
function contentAs(type: PlainContent['type'], content: PlainContent): PlainContent {
  if (content.type === type || content.type === 'file') return content;
  const { title, value } = content;
  if (type === 'password') return { type, title, login: '', value };
  return type === 'note' ? { type, title, value } : content;
}

function isSameContent(a: PlainContent, b: PlainContent): boolean {
  if (a.type === 'file' || b.type === 'file') return false;
  const logins = a.type === 'password' && b.type === 'password' ? a.login === b.login : true;
  const totps = a.type === 'TOTP' && b.type === 'TOTP' ? a.algorithm === b.algorithm && a.period === b.period : true;
  return a.value === b.value && a.title === b.title && logins && totps;
}

/** Names may repeat. */
function binariesOf({ binaries }: RawEntry): Map<string, RawBinary> {
  const named = new Map<string, RawBinary>();
  const counts = new Map<string, number>();
  for (const binary of binaries) {
    const count = (counts.get(binary.name) ?? 0) + 1;
    counts.set(binary.name, count);
    named.set(`${binary.name}\n${count}`, binary);
  }
  return named;
}

const isSameBinary = (a: RawBinary, b: RawBinary) => a.ref === b.ref && a.packed.text === b.packed.text;

async function fileOf(binary: RawBinary, attachments: Attachments): Promise<PlainContent> {
  const name = shorten(binary.name.trim(), VAULT.fileName) || 'attachment';
  return { type: 'file', title: shorten(name, VAULT.title), name, bytes: await attachments.read(binary) };
}
