import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { Dialog } from './dialog.tsx';

afterEach(cleanup);

function open(isBusy: boolean) {
  let closings = 0;
  render(
    <Dialog title="Import data" onClose={() => (closings += 1)} isBusy={isBusy}>
      <input type="file" aria-label="File" />
    </Dialog>,
  );
  return { dialog: screen.getByRole<HTMLDialogElement>('dialog'), closings: () => closings };
}

const cancel = () => new Event('cancel', { bubbles: true, cancelable: true });

describe('a dialog', () => {
  test('is closed by Escape, but not when a file chooser in it is cancelled', () => {
    const { dialog, closings } = open(false);
    fireEvent(screen.getByLabelText('File'), cancel());
    expect(closings()).toBe(0);
    fireEvent(dialog, cancel());
    expect(closings()).toBe(1);
  });

  test('ignores Escape while busy', () => {
    const { dialog, closings } = open(true);
    expect(fireEvent.keyDown(dialog, { key: 'Escape' })).toBe(false);
    fireEvent(dialog, cancel());
    expect(closings()).toBe(0);
  });

  test('opens again if the browser closes it while busy', () => {
    const { dialog, closings } = open(true);
    dialog.close();
    expect([dialog.open, closings()]).toEqual([true, 0]);
  });

  test('does not call onClose when the page removes it', () => {
    const { closings } = open(false);
    cleanup();
    expect(closings()).toBe(0);
  });

  test('calls onClose when the browser closes it', () => {
    const { dialog, closings } = open(false);
    dialog.close();
    expect(closings()).toBe(1);
  });
});
