/**
 * The extension in Chromium with an open vault and 20,000 links with rules, beside the same with an empty one: popup until
 * its list is there (asked: at most 1.5 times), the first popup after unlocking, and a page's entries among the rules.
 * `node build/build.mjs --if-stale && npx tsx bench/extension-rules.bench.ts`
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { sealField } from '@passwordbroker/core/domain/fields/field';
import { closePages, openPage, sharedBrowser } from '../e2e/testing/browser/browser.ts';
import { startExtensionBrowser } from '../e2e/testing/extension/extension.ts';
import { popupOf } from '../e2e/testing/extension/in-popup.ts';
import { FORM } from '../e2e/testing/extension/story.ts';
import { type Person, signUpFirst } from '../e2e/testing/people/people.ts';
import { startServer } from '../e2e/testing/server/server.ts';
import { addSealedGroup, type SealedGroup } from '../e2e/testing/vault/sealed-tree.ts';
import { screenOf } from '../e2e/testing/vault/screen.ts';
import { openWriter } from '../server/src/db/sqlite/connections.ts';

const LINKS = 20_000;
const PORTION = 500;
const ROUNDS = 15;
const HOST = 'shop.localhost';

const server = await startServer();
const { page } = await openPage(await sharedBrowser());
const person = await signUpFirst(page, server.origin, 'Mira');
const group = await addSealedGroup(screenOf(page), person, 'Links');
const extension = await startExtensionBrowser();
try {
  const address = extension.serve(HOST, FORM);
  const shop = await extension.open(address);
  const first = await extension.popup(shop);
  await popupOf(first).pair(server.origin);
  await popupOf(first).signIn(person);
  await popupOf(first).unlock(person.masterPassword);
  await popupOf(first).compareWords();
  await first.close();
  await extension.grant(shop);
  const empty = await openings(shop);
  await addLinks(server.dataDir, group, person, address);
  const popup = await extension.popup(shop);
  const inPopup = popupOf(popup);
  await inPopup.press('Lock');
  await inPopup.field('Master password').waitFor();
  const began = performance.now();
  await inPopup.unlock(person.masterPassword);
  await inPopup.field('Search').waitFor();
  const usable = performance.now() - began;
  await popup.getByText('Link of the shop').first().waitFor();
  const listed = performance.now() - began;
  await popup.close();
  const full = await openings(shop);
  console.log(`Popup until its list: ${empty.toFixed(0)} ms empty, ${full.toFixed(0)} ms with ${LINKS} links`);
  console.log(`Ratio ${(full / empty).toFixed(2)} (at most 1.5)`);
  console.log(`After unlocking: ${usable.toFixed(0)} ms until the search, ${listed.toFixed(0)} ms until the list`);
} finally {
  await extension.close();
  await closePages(await sharedBrowser());
  await server.stop();
}

/** Median in milliseconds. */
async function openings(shop: Page): Promise<number> {
  const popup = await extension.popup(shop);
  const heading = popup.getByRole('heading', { name: HOST }).first();
  await heading.waitFor();
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await popup.reload({ waitUntil: 'commit' });
    await heading.waitFor();
    all.push(performance.now() - began);
  }
  await popup.close();
  return all.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}

/** Entries with one link each, the first three for the page. Through the API they would take minutes. */
async function addLinks(dataDir: string, { id, groupKey }: SealedGroup, { userId }: Person, shop: string) {
  const { queries } = openWriter(join(dataDir, 'passwordbroker.sqlite'));
  const made = { created_by: userId, created_at: 1 };
  const plain = { title: '', login: null, totp_hash_algorithm: null, totp_timeout: null, ...made };
  const file = { file_name: null, file_mime: null, file_size: null };
  for (let at = 0; at < LINKS; at += PORTION) {
    const rows = await Promise.all(
      Array.from({ length: PORTION }, async (_, more) => {
        const [entry_id, field_id, n] = [randomUUID(), randomUUID(), at + more];
        const value = utf8(n < 3 ? shop : `https://host-${n % 5000}.example-${n % 700}.org/login`);
        const place = { entryGroupId: id, entryId: entry_id, fieldId: field_id, type: 'link', rev: 1 } as const;
        const sealed = await sealField(groupKey, place, { type: 'link', title: '', value });
        const bytes = (text = '') => Buffer.from(text, 'base64');
        return {
          entry: { entry_id, entry_group_id: id, title: n < 3 ? `Link of the shop ${n}` : `Entry ${n}` },
          field: { field_id, entry_id },
          revision: {
            field_id,
            cek_wrapped: bytes(sealed.cek_wrapped),
            value: bytes(sealed.value_encrypted),
            site: bytes(sealed.site_sealed),
          },
        };
      }),
    );
    await queries.transaction().execute(async (tx) => {
      await tx
        .insertInto('entries')
        .values(rows.map(({ entry }) => ({ ...entry, ...made, updated_at: 1, trashed_by: null })))
        .execute();
      const field = { ...plain, ...file, type: 'link' as const, rev: 1, updated_by: userId, updated_at: 1 };
      await tx
        .insertInto('fields')
        .values(rows.map((row) => ({ ...field, ...row.field, trashed_by: null })))
        .execute();
      const revision = { ...plain, ...file, rev: 1, crypto_profile: 'pb1' as const, gk_version: 1, author_sig: null };
      await tx
        .insertInto('field_revisions')
        .values(rows.map((row) => ({ ...revision, ...row.revision, body_sha256: null, body_size: null })))
        .execute();
    });
  }
  await queries.destroy();
}
