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
  test('is closed by Escape, but stays when the choice of a file is given up in it', () => {
    const { dialog, closings } = open(false);
    fireEvent(screen.getByLabelText('File'), cancel());
    expect(closings()).toBe(0);
    fireEvent(dialog, cancel());
    expect(closings()).toBe(1);
  });

  test('busy it takes no Escape', () => {
    const { dialog, closings } = open(true);
    expect(fireEvent.keyDown(dialog, { key: 'Escape' })).toBe(false);
    fireEvent(dialog, cancel());
    expect(closings()).toBe(0);
  });

  test('closed by the browser itself while it is busy: it opens again', () => {
    const { dialog, closings } = open(true);
    dialog.close();
    expect([dialog.open, closings()]).toEqual([true, 0]);
  });

  test('taken away by the page it tells nobody', () => {
    const { closings } = open(false);
    cleanup();
    expect(closings()).toBe(0);
  });

  test('closed by the browser itself otherwise: the page learns of it', () => {
    const { dialog, closings } = open(false);
    dialog.close();
    expect(closings()).toBe(1);
  });
});
