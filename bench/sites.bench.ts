/**
 * Opening 20,000 site rules, as a multiple of 40,000 bare opens of the same sizes; asked for: at most 1.3. Then making the
 * index and finding a page's entries in it; asked for: at most 10 ms a page. Medians of 9, in turn. `npx tsx bench/sites.bench.ts`
 */
import { build } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as bytesModule from '../core/src/crypto/bytes.ts';
import type * as sealModule from '../core/src/crypto/seal.ts';
import type * as fieldModule from '../core/src/domain/fields/field.ts';
import type * as grantsModule from '../core/src/domain/groups/grants.ts';
import type * as matchModule from '../core/src/domain/sites/match-site.ts';
import type * as domainModule from '../core/src/domain/sites/registrable-domain.ts';

const RULES = 20_000;
const ROUNDS = 9;
/** As many at once as the client opens. */
const AT_ONCE = 100;

const folder = mkdtempSync(join(tmpdir(), 'sites-bench-'));

type Core = typeof bytesModule &
  typeof sealModule &
  typeof fieldModule &
  typeof grantsModule &
  typeof matchModule &
  typeof domainModule;

/** Built as the client is: what `tsx` adds to each function would be measured, too. */
async function bundled(): Promise<Core> {
  const core = fileURLToPath(new URL('../core/src', import.meta.url));
  const outfile = join(folder, 'core.mjs');
  await build({
    stdin: {
      contents: `export * from '${core}/crypto/bytes.ts'; export * from '${core}/crypto/seal.ts';
        export * from '${core}/domain/fields/field.ts'; export * from '${core}/domain/groups/grants.ts';
        export * from '${core}/domain/sites/match-site.ts'; export * from '${core}/domain/sites/registrable-domain.ts';`,
      resolveDir: core,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['node'],
    outfile,
    logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return (await import(outfile)) as Core;
}

const { utf8, randomBytes, decodeBase64, importSealingKey, open, sealField, openSite, deriveGroupKey, ...sites } =
  await bundled();

const uuid = (n: number) => `0198f3c2-7a1e-7c3d-9b2a-${n.toString(16).padStart(12, '0')}`;
const groupId = uuid(0);
const key = await deriveGroupKey(randomBytes(64) as Parameters<typeof deriveGroupKey>[0], groupId, 1);
const rows: { place: Parameters<typeof openSite>[1]; cek_wrapped_base64: string; site_sealed_base64: string }[] = [];
for (let n = 1; n <= RULES; n += 1) {
  const place = { entryGroupId: groupId, entryId: uuid(n), fieldId: uuid(n), type: 'link', rev: 1 } as const;
  const value = utf8(`https://host-${n % 5000}.example-${n % 700}.org/login`);
  const sealed = await sealField(key, place, { type: 'link', title: 'URL', value });
  rows.push({ place, cek_wrapped_base64: sealed.cek_wrapped, site_sealed_base64: sealed.site_sealed ?? '' });
}

async function inPortions<T>(work: (row: (typeof rows)[number]) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let at = 0; at < rows.length; at += AT_ONCE)
    done.push(...(await Promise.all(rows.slice(at, at + AT_ONCE).map(work))));
  return done;
}

const openRules = () => inPortions(({ place, ...sealed }) => openSite(key, place, sealed));

/** The same two opens, with the bytes and the content keys ready. */
const ready = await inPortions(async ({ place, cek_wrapped_base64, site_sealed_base64 }) => {
  const { entryGroupId, entryId, fieldId, rev, type } = place;
  const context = { entryGroupId, gkVersion: 1, entryId, fieldId, rev, type };
  const wrapped = decodeBase64(cek_wrapped_base64);
  const contentKey = await importSealingKey(await open('cek', key.key, context, wrapped));
  return { context, place, wrapped, contentKey, site: decodeBase64(site_sealed_base64) };
});
async function openBare(): Promise<void> {
  for (let at = 0; at < ready.length; at += AT_ONCE) {
    const some = ready.slice(at, at + AT_ONCE);
    await Promise.all(
      some.map(async ({ context, place, wrapped, contentKey, site }) => {
        await open('cek', key.key, context, wrapped);
        await open('site', contentKey, place, site);
      }),
    );
  }
}

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const [opening, bare, indexing, finding]: [number[], number[], number[], number[]] = [[], [], [], []];
const links = (await openRules()).map((rules, at) => ({ at, rules }));
for (let round = 0; round < ROUNDS; round += 1) {
  opening.push(await timed(openRules));
  bare.push(await timed(openBare));
  indexing.push(await timed(() => sites.indexSites(links, sites.registrableDomain)));
  const index = sites.indexSites(links, sites.registrableDomain);
  finding.push(await timed(() => index.find(`https://host-${round}.example-${round}.org/`)));
}
const [rules, opens] = [median(opening), median(bare)];
console.log(
  `${RULES} rules: ${rules.toFixed(0)} ms, ${2 * RULES} bare opens: ${opens.toFixed(0)} ms, ratio ${(rules / opens).toFixed(2)} (at most 1.3)`,
);
console.log(`index: ${median(indexing).toFixed(0)} ms, a page: ${median(finding).toFixed(2)} ms (at most 10)`);
rmSync(folder, { recursive: true });
