import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { COPY_TEXTS } from '@passwordbroker/client/texts/clipboard';
import { ADD_FIELD_TEXTS as TEXTS, FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { GeneratedPassword } from './generated-password.tsx';
import { CLASSES } from '@passwordbroker/core/domain/fields/generator-settings';

/** Text written to the browser's clipboard. */
let written: string[];
let isRefused: boolean;
beforeEach(() => {
  written = [];
  isRefused = false;
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation((text) => {
    if (isRefused) return Promise.reject(new DOMException('Document is not focused.', 'NotAllowedError'));
    written.push(text);
    return Promise.resolve();
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const copy = async () => {
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: TEXTS.copyPassword }));
    await Promise.resolve();
  });
};

test('announces a copy', async () => {
  render(<GeneratedPassword value="s3cr3t" onChange={() => undefined} />);
  expect(screen.queryByText(FIELD_TEXTS.copied)).toBeNull();
  await copy();
  expect(written).toEqual(['s3cr3t']);
  expect(screen.getByText(FIELD_TEXTS.copied)).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('shows our message if the browser refuses, and hides it after the next copy', async () => {
  isRefused = true;
  render(<GeneratedPassword value="s3cr3t" onChange={() => undefined} />);
  await copy();
  expect(screen.getByRole('alert').textContent).toBe(COPY_TEXTS.notCopied);
  expect(screen.queryByText(FIELD_TEXTS.copied)).toBeNull();
  isRefused = false;
  await copy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('explains why the last class cannot be turned off', () => {
  render(<GeneratedPassword value="s3cr3t" onChange={() => undefined} />);
  const boxes = CLASSES.map(({ name }) =>
    screen.getByRole<HTMLInputElement>('checkbox', { name: new RegExp(`^${name}`) }),
  );
  expect(screen.queryByText(TEXTS.lastClass)).toBeNull();
  for (const box of boxes.filter(({ checked }) => checked).slice(1)) fireEvent.click(box);
  const [last, ...others] = boxes.filter(({ checked }) => checked);
  expect([others, last?.disabled]).toEqual([[], true]);
  const reason = document.getElementById(last?.getAttribute('aria-describedby') ?? '');
  expect(reason?.textContent).toBe(TEXTS.lastClass);
});
