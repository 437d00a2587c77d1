/**
 * The extension in Chromium with an open vault: popup until its list is there (asked: 200 ms), and a fill from the click to
 * the event in the page, less the call that releases the value (asked: 100 ms). Medians of 15.
 * `node build/build.mjs --if-stale && npx tsx bench/extension.bench.ts`
 */
import { popupOf } from '../e2e/testing/extension/in-popup.ts';
import { beginStory, ENTRY, FORM } from '../e2e/testing/extension/story.ts';

const ROUNDS = 15;

const story = await beginStory();
try {
  const shop = await story.extension.open(story.extension.serve('shop.localhost', FORM));
  let popup = await story.extension.popup(shop);
  let inPopup = popupOf(popup);
  await inPopup.pair(story.server.origin);
  await inPopup.signIn();
  await inPopup.unlock();
  await inPopup.compareWords();
  await popup.close();
  await story.extension.grant(shop);
  const opened: number[] = [];
  const filled: number[] = [];
  const released: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    popup = await story.extension.popup(shop);
    inPopup = popupOf(popup);
    await popup
      .getByText(/Nothing is kept for|Fill in/)
      .first()
      .waitFor();
    const began = performance.now();
    await popup.reload({ waitUntil: 'commit' });
    await popup.getByText('shop.localhost').first().waitFor();
    opened.push(performance.now() - began);
    await inPopup.field('Search').fill('billing');
    await inPopup.press(`Use ${ENTRY} here`);
    await popup.getByText('Fill once').waitFor();
    const event = shop.evaluate(
      () =>
        new Promise<number>((resolve) => {
          document.addEventListener('input', () => resolve(Date.now()), { once: true });
        }),
    );
    const clicked = await popup.evaluate(() => {
      const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Fill once');
      setTimeout(() => button?.click(), 0);
      return Date.now();
    });
    filled.push((await event) - clicked);
    await shop.reload();
    released.push(await story.release());
    if (!popup.isClosed()) await popup.close();
  }
  const [open, fill, release] = [opened, filled, released].map(median);
  console.log(`Popup until its list: ${open?.toFixed(0)} ms (asked: 200)`);
  console.log(`Fill: ${fill?.toFixed(0)} ms, the release alone ${release?.toFixed(0)} ms`);
} finally {
  await story.end();
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
}
