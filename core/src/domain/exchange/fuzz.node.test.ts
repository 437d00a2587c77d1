/**
 * Damaged files of every format: each ends with a tree or a sentence, in bounded time. 100,000 of them with TEST_LONG; FUZZ_SEED repeats a
 * run.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { encodeBase64, randomBytes, utf8 } from '../../crypto/bytes.ts';
import { collect } from '../../crypto/stream.ts';
import { LONG_TIMEOUT, runsOf } from '../../testing/arbitraries.ts';
import { credentialsOf, writtenByKdbxweb } from '../../testing/exchange/kdbxweb-files.ts';
import { mutated, randomOf, type Seed } from '../../testing/exchange/mutations.ts';
import { fixturePath, NOW, readFile } from '../../testing/exchange/read-file.ts';
import { writeArchive } from './archive/write-archive.ts';
import { sealProtected } from './bitwarden/protected.ts';
import { ExchangeError } from './exchange-error.ts';
import { type FileArgon2, fileArgon2 } from './file-argon2.ts';
import { detectFormat, FORMATS, type Given } from './formats.ts';
import { writeKdbx } from './kdbx/write-kdbx.ts';

const RUNS = runsOf(2000, 100_000);
/** A derivation of a key may take as long as the limits of the formats allow. */
const LONGEST_MS = 60_000;
const PASSWORD = 'a';
const GIVEN: Given = {
  password: PASSWORD,
  columns: { meanings: ['title', 'login', 'password', 'url', 'notes', 'totp'], separator: '/', hasNames: true },
};
/** As in the product, but for numbers that only take time. */
const cheapArgon2: FileArgon2 = (derivation) =>
  derivation.memoryKib * derivation.iterations > 64 * 1024 || derivation.parallelism > 8
    ? Promise.reject(ExchangeError.tooMuchWork())
    : fileArgon2(derivation);
const OPTIONS = { now: NOW, argon2: cheapArgon2, password: PASSWORD };

const bytesAt = (path: string) => new Uint8Array(readFileSync(path));

async function seeds(): Promise<readonly Seed[]> {
  const json = ['usual', 'odd'].flatMap((name) => {
    const of = (folder: string) => bytesAt(fixturePath(`${folder}/${name}.json`));
    return [
      { id: 'bitwarden', content: of('bitwarden') },
      {
        id: 'bitwarden-zip',
        content: of('bitwarden'),
        around: { name: 'data.json', others: { 'attachments/i1/a': 'x' } },
      },
      {
        id: '1pux',
        content: of('1pux'),
        around: { name: 'export.data', others: { 'export.attributes': '{}', 'files/doc1__a': 'x' } },
      },
      { id: 'proton-pass', content: of('proton-pass') },
      {
        id: 'proton-pass-zip',
        content: of('proton-pass'),
        around: { name: 'P/data.json', others: { 'P/files/a': 'x' } },
      },
      { id: 'keeper', content: of('keeper') },
      { id: 'cxf', content: of('cxf') },
      { id: 'cxf-zip', content: of('cxf'), around: { name: 'cxf.json', others: { 'documents/ZmlsZTE': 'Dear Anna' } } },
    ];
  });
  const csvs: Seed[] = readdirSync(fixturePath('csv'))
    .filter((name) => name.endsWith('.csv'))
    .map((name) => ({ id: 'csv', content: bytesAt(fixturePath(`csv/${name}`)) }));
  const dashlane = Object.fromEntries(
    readdirSync(fixturePath('csv/dashlane')).map((name) => [
      name,
      readFileSync(fixturePath(`csv/dashlane/${name}`), 'utf8'),
    ]),
  );
  const { 'credentials.csv': credentials = '', ...others } = dashlane;
  const { tree } = await readFile(bytesAt(fixturePath('bitwarden/usual.json')));
  const cheap = { memoryKib: 64, iterations: 1, parallelism: 1 };
  const older = await writtenByKdbxweb(
    { major: 3, kdf: 'AES', cipher: 'AES', isCompressed: true },
    credentialsOf(PASSWORD),
    (database) => void database.createEntry(database.getDefaultGroup()).fields.set('Title', 'An entry'),
  );
  return [
    ...json,
    ...csvs,
    { id: 'dashlane', content: utf8(credentials), around: { name: 'credentials.csv', others } },
    {
      id: 'csv-table',
      content: utf8("'pb1'group,title,type,field,login,value,url,created,modified\nA,B,note,C,,D,,,\n"),
    },
    {
      id: 'otpauth',
      content: utf8('otpauth://totp/a?secret=JBSWY3DPEHPK3PXP\notpauth-migration://offline?data=CgoKBUhlbGxvEgFh\n'),
    },
    { id: 'keepass-xml', content: bytesAt(fixturePath('../keepass/keepassxc-kdbx4.xml')) },
    { id: 'kdbx', content: await collect(writeKdbx(tree, OPTIONS, cheap)) },
    { id: 'kdbx', content: older },
    { id: 'pbx', content: await collect(writeArchive(tree, OPTIONS, 2)) },
    { id: 'bitwarden', content: utf8(JSON.stringify(await sealProtected(utf8('{}'), PASSWORD))), isSlow: true },
  ];
}

/** By the format of the seed, by the content, or by any: a person may choose another one. */
async function outcomeOf(
  content: Uint8Array<ArrayBuffer>,
  id: string,
  random: () => number,
): Promise<'tree' | 'sentence'> {
  const file = new Blob([content]);
  try {
    const way = random();
    const chosen =
      way < 0.4 ? FORMATS.find((format) => format.id === id) : FORMATS[Math.floor(random() * FORMATS.length)];
    const format = way < 0.8 || chosen === undefined ? chosen : (await detectFormat(file)).format;
    if (format === undefined) throw new Error(`No format ${id}`);
    const tree = await (await format.load())(file, GIVEN, OPTIONS);
    expect(tree.groups.length).toBeGreaterThan(0);
    for (const { group } of tree.entries) expect(tree.groups[group]).toBeDefined();
    return 'tree';
  } catch (error) {
    if (error instanceof ExchangeError && error.message.endsWith('.')) return 'sentence';
    throw error;
  }
}

test('damaged files end with a tree or a sentence', LONG_TIMEOUT, async () => {
  const all = await seeds();
  // The same files each time, and others in the long run.
  const drawn = runsOf(1, new DataView(randomBytes(4).buffer).getUint32(0) >>> 1);
  const first = Number(process.env['FUZZ_SEED'] ?? drawn);
  const outcomes = { tree: 0, sentence: 0 };
  for (let run = 0; run < RUNS; run += 1) {
    const random = randomOf(first + run);
    let seed = all[Math.floor(random() * all.length)]!;
    if (seed.isSlow === true && random() > 0.05) seed = all[0]!;
    const content = mutated(seed, all, random);
    const start = performance.now();
    const what = () => `FUZZ_SEED=${first + run}, ${seed.id}: ${encodeBase64(content.subarray(0, 3000))}`;
    try {
      outcomes[await outcomeOf(content, seed.id, random)] += 1;
    } catch (error) {
      throw new Error(what(), { cause: error });
    }
    expect(performance.now() - start, what()).toBeLessThan(LONGEST_MS);
  }
  // The damage is neither too much nor too little.
  expect(outcomes.tree).toBeGreaterThan(RUNS / 20);
  expect(outcomes.sentence).toBeGreaterThan(RUNS / 20);
});
