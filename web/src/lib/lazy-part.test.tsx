import { cleanup, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, expect, test } from 'vitest';
import { lazyPart } from './lazy-part.ts';
import { part } from './part.ts';

afterEach(cleanup);

const MODULE = { Page: () => <p>the page</p> };

function draw(from: Parameters<typeof lazyPart<'Page'>>[0]): void {
  const Page = lazyPart(from, 'Page');
  render(
    <Suspense fallback="on its way">
      <Page />
    </Suspense>,
  );
}

test('what is here is drawn at once, and nothing in place of it', async () => {
  const code = part(async () => MODULE);
  await code.load();
  draw(code);
  expect(screen.queryByText('on its way')).toBeNull();
  expect(screen.getByText('the page')).toBeTruthy();
});

test('what is not comes when it is drawn', async () => {
  const code = part(async () => MODULE);
  draw(code);
  expect(screen.getByText('on its way')).toBeTruthy();
  await screen.findByText('the page');
  expect(code.here()).toBe(MODULE);
});

test('what did not arrive is asked for again', async () => {
  let asked = 0;
  const code = part(async () => {
    asked += 1;
    if (asked === 1) throw new Error('not arrived');
    return MODULE;
  });
  await expect(code.load()).rejects.toThrow('not arrived');
  expect(code.here()).toBeUndefined();
  expect(await code.load()).toBe(MODULE);
});
