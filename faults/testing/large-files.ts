/**
 * Adds gigabytes of files and many fields directly to the data folder of a stopped server: copied
 * rows, and incompressible bodies.
 */
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../server/src/db/open.ts';
import { openBulkWriter } from '../../server/src/db/bulk/writer.ts';

export const BODY_BYTES = 20_000_000;
const PORTION = 1000;

interface Amount {
  readonly bodies: number;
  readonly fields: number;
}

/** Copies the only file field of the vault once for each body, and adds further copies without a body. */
export async function addLargeFiles(dataDir: string, { bodies, fields }: Amount): Promise<void> {
  const names: string[] = [];
  for (let at = 0; at < bodies; at += 1) names.push(await writeBody(dataDir));
  const db = await openDatabase({ dataDir, now: Date.now() });
  const writer = await openBulkWriter(db.path);
  try {
    const field = await db.read.selectFrom('fields').selectAll().executeTakeFirstOrThrow();
    const revision = await db.read.selectFrom('field_revisions').selectAll().executeTakeFirstOrThrow();
    await db.exclusive(() =>
      writer.transact(async (_, insert) => {
        for (let at = 0; at < fields; at += PORTION) {
          const copies = Array.from({ length: Math.min(PORTION, fields - at) }, (_unused, index) => {
            const field_id = crypto.randomUUID();
            const body_sha256 = names[at + index] ?? revision.body_sha256;
            const body_size = names[at + index] === undefined ? revision.body_size : BODY_BYTES;
            return { field: { ...field, field_id }, revision: { ...revision, field_id, body_sha256, body_size } };
          });
          await insert(
            'fields',
            copies.map((copy) => copy.field),
          );
          await insert(
            'field_revisions',
            copies.map((copy) => copy.revision),
          );
        }
      }),
    );
  } finally {
    await writer.close();
    await db.close();
  }
}

/** The key stream of a random key: incompressible, and as fast as the disk. */
async function writeBody(dataDir: string): Promise<string> {
  const cipher = createCipheriv('aes-128-ctr', randomBytes(16), Buffer.alloc(16));
  const bytes = cipher.update(Buffer.alloc(BODY_BYTES));
  const name = createHash('sha256').update(bytes).digest('hex');
  await writeFile(join(dataDir, 'bodies', name), bytes, { mode: 0o600 });
  return name;
}
