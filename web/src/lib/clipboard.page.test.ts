import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { browserClipboard, clearAfter, createClipboard, type ClipboardPlace } from './clipboard.ts';

const CLIPBOARD_CLEAR_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

function placeOf() {
  const focus = new Set<() => void>();
  const copies = new Set<() => void>();
  const gestures = new Set<() => void>();
  const state = { text: '', focused: true, isRefused: false };
  const add = (set: Set<() => void>) => (listener: () => void) => {
    set.add(listener);
    return () => set.delete(listener);
  };
  const place: ClipboardPlace = {
    write: (text) => {
      if (state.isRefused) return Promise.reject(new DOMException('no gesture', 'NotAllowedError'));
      state.text = text;
      return Promise.resolve();
    },
    hasFocus: () => state.focused,
    onFocus: add(focus),
    onGesture: add(gestures),
    onOtherCopy: add(copies),
  };
  const fire = (set: Set<() => void>) => [...set].forEach((listener) => listener());
  return {
    place,
    state,
    gainFocus: () => fire(focus),
    copyElse: () => fire(copies),
    press: () => fire(gestures),
    left: () => focus.size + copies.size + gestures.size,
  };
}

describe('a secret in the clipboard', () => {
  test('is removed after 60 seconds, not before', async () => {
    const { place, state, left } = placeOf();
    await createClipboard(place).copySecret('s3cr3t');
    await vi.advanceTimersByTimeAsync(CLIPBOARD_CLEAR_MS - 1);
    expect(state.text).toBe('s3cr3t');
    await vi.advanceTimersByTimeAsync(1);
    expect([state.text, left()]).toEqual(['', 0]);
  });

  test('is removed after the shorter time that the person chose, and never later than after 60 seconds', async () => {
    const { place, state } = placeOf();
    clearAfter.set(10);
    await createClipboard(place).copySecret('s3cr3t');
    await vi.advanceTimersByTimeAsync(9_999);
    expect(state.text).toBe('s3cr3t');
    await vi.advanceTimersByTimeAsync(1);
    expect(state.text).toBe('');
    localStorage.setItem('passwordbroker.clipboard-seconds', '86400');
    await createClipboard(place).copySecret('s3cr3t');
    await vi.advanceTimersByTimeAsync(CLIPBOARD_CLEAR_MS);
    expect(state.text).toBe('');
  });

  test('tells when it will be removed, until it is', async () => {
    const { place, copyElse } = placeOf();
    const clipboard = createClipboard(place);
    const seen: (number | null)[] = [];
    clipboard.subscribe(() => seen.push(clipboard.clearsAt()));
    const start = Date.now();
    await clipboard.copySecret('s3cr3t');
    await vi.advanceTimersByTimeAsync(1000);
    await clipboard.copySecret('other');
    await vi.advanceTimersByTimeAsync(CLIPBOARD_CLEAR_MS);
    await clipboard.copySecret('third');
    copyElse();
    expect(seen).toEqual([
      start + CLIPBOARD_CLEAR_MS,
      null,
      start + 1000 + CLIPBOARD_CLEAR_MS,
      null,
      start + 1000 + 2 * CLIPBOARD_CLEAR_MS,
      null,
    ]);
  });

  test('is removed when the page regains the focus', async () => {
    const { place, state, gainFocus, left } = placeOf();
    state.focused = false;
    await createClipboard(place).copySecret('s3cr3t');
    await vi.advanceTimersByTimeAsync(CLIPBOARD_CLEAR_MS * 2);
    expect(state.text).toBe('s3cr3t');
    gainFocus();
    await vi.advanceTimersByTimeAsync(0);
    expect([state.text, left()]).toEqual(['', 0]);
  });

  test('is removed at the next gesture if the browser requires one', async () => {
    const { place, state, press, left } = placeOf();
    await createClipboard(place).copySecret('s3cr3t');
    state.isRefused = true;
    await vi.advanceTimersByTimeAsync(CLIPBOARD_CLEAR_MS);
    press();
    await vi.advanceTimersByTimeAsync(0);
    expect(state.text).toBe('s3cr3t');
    state.isRefused = false;
    press();
    await vi.advanceTimersByTimeAsync(0);
    expect([state.text, left()]).toEqual(['', 0]);
  });

  test('stays if something else is copied before that gesture', async () => {
    const { place, state, press, copyElse, left } = placeOf();
    await createClipboard(place).copySecret('s3cr3t');
    state.isRefused = true;
    await vi.advanceTimersByTimeAsync(CLIPBOARD_CLEAR_MS);
    state.isRefused = false;
    state.text = 'mine';
    copyElse();
    press();
    await vi.advanceTimersByTimeAsync(0);
    expect([state.text, left()]).toEqual(['mine', 0]);
  });

  test('stays if something else was copied on the page', async () => {
    const { place, state, copyElse } = placeOf();
    await createClipboard(place).copySecret('s3cr3t');
    state.text = 'mine';
    copyElse();
    await vi.advanceTimersByTimeAsync(CLIPBOARD_CLEAR_MS);
    expect(state.text).toBe('mine');
  });

  test('a second secret restarts the time', async () => {
    const { place, state } = placeOf();
    const clipboard = createClipboard(place);
    await clipboard.copySecret('one');
    await vi.advanceTimersByTimeAsync(40_000);
    await clipboard.copySecret('two');
    await vi.advanceTimersByTimeAsync(40_000);
    expect(state.text).toBe('two');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(state.text).toBe('');
  });

  test('a login stays', async () => {
    const { place, state } = placeOf();
    const clipboard = createClipboard(place);
    await clipboard.copySecret('s3cr3t');
    await clipboard.copyPlain('ada');
    await vi.advanceTimersByTimeAsync(CLIPBOARD_CLEAR_MS * 2);
    expect(state.text).toBe('ada');
  });
});

describe('a copy on the page', () => {
  test('counts only with a selection', () => {
    document.body.innerHTML = '<p>some text</p><input value="typed">';
    let copies = 0;
    const stop = browserClipboard.onOtherCopy(() => (copies += 1));
    const copy = () => document.dispatchEvent(new Event('copy'));
    document.getSelection()?.removeAllRanges();
    copy();
    expect(copies).toBe(0);
    document.getSelection()?.selectAllChildren(document.querySelector('p') as HTMLElement);
    copy();
    expect(copies).toBe(1);
    document.getSelection()?.removeAllRanges();
    const input = document.querySelector('input') as HTMLInputElement;
    input.focus();
    input.setSelectionRange(0, 0);
    copy();
    expect(copies).toBe(1);
    input.setSelectionRange(0, 3);
    copy();
    expect(copies).toBe(2);
    stop();
  });
});

test.each(['copySecret', 'copyPlain'] as const)('%s refused by the browser shows our message', async (copy) => {
  const { place, state } = placeOf();
  state.isRefused = true;
  await expect(createClipboard(place)[copy]('text')).rejects.toMatchObject({
    name: 'ClipboardRefused',
    message: expect.stringMatching(/^Nothing was copied: .* by hand\.$/) as string,
  });
});
