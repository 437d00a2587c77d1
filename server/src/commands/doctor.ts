import { verifyChain } from '../audit/chain/verify-chain.ts';
import { openToRead } from '../db/open.ts';
import type { Database } from '../db/database.ts';
import { isDamage } from '../db/failures.ts';
import { findDamage } from '../db/integrity.ts';
import type { BodyStore } from '../platform/storage/bodies.ts';
import { sha256 } from '../platform/ids-and-digests.ts';
import { damageSentence } from './audit-verify.ts';
import { EXIT } from './command.ts';
import type { Command } from './command.ts';
import { listStrayWraps } from '../passkeys/passkey-repository.ts';
import { listNamedBodies, listWithoutTheirFactor } from './damage-repository.ts';

type Reader = Pick<Database, 'read' | 'dialect'>;

export const doctor: Command = {
  summary: 'Looks at database, audit log and sealed files, and names what is damaged.',
  details: ['It reads all of it and changes nothing.'],
  args: [],
  options: {},
  async run({ config, terminal }) {
    const db = await openToRead(config);
    try {
      let isWhole = true;
      for (const [what, find] of Object.entries(CHECKS)) {
        const damage = await find(db, db.bodies).catch((error: unknown) => [unreadable(error)]);
        terminal.say(`${what}: ${damage.length === 0 ? 'whole' : 'DAMAGED'}`);
        for (const sentence of damage) terminal.tell(`  ${sentence}`);
        isWhole &&= damage.length === 0;
      }
      return isWhole ? EXIT.done : EXIT.failed;
    } finally {
      await db.close();
    }
  },
};

/** The sentence for damage that ends a check; throws other errors. */
function unreadable(error: unknown): string {
  if (!isDamage(error)) throw error;
  return `It could not be read to its end: ${error.message}.`;
}

/** Each returns a sentence per damage. */
const CHECKS: Readonly<Record<string, (db: Reader, bodies: BodyStore) => Promise<string[]>>> = {
  'the database': (db) => findDamage(db),
  passkeys: findStrayWraps,
  'the audit log': async (db) => (await verifyChain({ db })).findings.map(damageSentence),
  'sealed files': findDamagedBodies,
  'second factors': findMissingFactors,
};

/** The owners of these accounts can sign in with recovery codes only. */
async function findMissingFactors(db: Reader): Promise<string[]> {
  const users = await listWithoutTheirFactor(db);
  return users.map((userId) => `The account ${userId} should have a second factor, and has none: reset it.`);
}

async function findStrayWraps(db: Reader): Promise<string[]> {
  const wraps = await listStrayWraps(db);
  return wraps.map((id) => `The wrap ${id} belongs to no passkey of its account.`);
}

const BATCH = 200;

async function findDamagedBodies(db: Reader, bodies: BodyStore): Promise<string[]> {
  const damaged: string[] = [];
  for (let after = ''; ;) {
    const named = await listNamedBodies(db, after, BATCH);
    for (const { body_sha256, field_id } of named) {
      const name = `The file ${body_sha256} of field ${field_id}`;
      if (!(await bodies.has(body_sha256))) damaged.push(`${name} is missing.`);
      else if (!(await isWhole(bodies, body_sha256))) damaged.push(`${name} is not what was stored.`);
    }
    if (named.length < BATCH) return damaged;
    after = named.at(-1)?.body_sha256 ?? '';
  }
}

async function isWhole(bodies: BodyStore, name: string): Promise<boolean> {
  const chunks: Buffer[] = [];
  for await (const chunk of bodies.open(name)) chunks.push(Buffer.from(chunk as Uint8Array));
  return sha256(Buffer.concat(chunks)).toString('hex') === name;
}
