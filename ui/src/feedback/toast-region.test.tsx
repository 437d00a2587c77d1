import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeToasts, openToasts, toast } from './toast.ts';
import { ToastRegion } from './toast-region.tsx';

const shown: string[] = [];
beforeEach(() => {
  // happy-dom has no popovers; hiding one removes the focus from it, as in browsers.
  HTMLElement.prototype.showPopover = () => void shown.push('show');
  HTMLElement.prototype.hidePopover = function () {
    shown.push('hide');
    if (this.contains(document.activeElement)) (document.activeElement as HTMLElement).blur();
  };
});
afterEach(() => {
  cleanup();
  closeToasts();
  openToasts();
  shown.length = 0;
});

test('a new notice leaves the focus on the button of an older one', () => {
  render(<ToastRegion />);
  act(() => toast('Entry deleted', { action: { label: 'Undo', onPress: () => undefined } }));
  const undo = screen.getByRole('button', { name: 'Undo' });
  undo.focus();
  act(() => toast('Password copied'));
  screen.getByText('Password copied');
  expect(document.activeElement).toBe(undo);
});

test('each new notice shows the region again above everything, unless it has the focus', () => {
  render(<ToastRegion />);
  act(() => toast('one'));
  act(() => toast('two'));
  expect(shown.filter((what) => what === 'show')).toHaveLength(2);
});

test('a notice disappears after five seconds, but not while it has the focus', () => {
  vi.useFakeTimers();
  try {
    render(<ToastRegion />);
    act(() => toast('one'));
    act(() => void vi.advanceTimersByTime(4999));
    screen.getByText('one');
    act(() => void vi.advanceTimersByTime(1));
    expect(screen.queryByText('one')).toBeNull();
    act(() => toast('two', { action: { label: 'Undo', onPress: () => undefined } }));
    act(() => screen.getByRole('button', { name: 'Undo' }).focus());
    act(() => void vi.advanceTimersByTime(60_000));
    screen.getByText('two');
  } finally {
    vi.useRealTimers();
  }
});
