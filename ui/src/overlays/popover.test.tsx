import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { Popover } from './popover.tsx';

afterEach(cleanup);

function open() {
  let closings = 0;
  render(
    <>
      <button type="button">import data</button>
      <Popover id="p" label="Offline database" isOpen onClose={() => (closings += 1)} trigger={<button>open</button>}>
        <button type="button">Switch to offline</button>
      </Popover>
    </>,
  );
  const elsewhere = screen.getByRole('button', { name: 'import data' });
  return { panel: screen.getByRole('dialog'), elsewhere, closings: () => closings };
}

describe('a popover', () => {
  test('opened right after a dialog stays open and takes the focus when the dialog returns it', () => {
    const { panel, elsewhere, closings } = open();
    expect(document.activeElement).toBe(panel);
    elsewhere.focus();
    expect(closings()).toBe(0);
    expect(document.activeElement).toBe(panel);
  });

  test('closes when the focus leaves it by the keyboard', () => {
    const { panel, elsewhere, closings } = open();
    fireEvent.keyDown(panel, { key: 'Tab' });
    elsewhere.focus();
    expect(closings()).toBe(1);
  });

  test('closes on a press outside, and not on one inside', () => {
    const { elsewhere, closings } = open();
    fireEvent.pointerDown(screen.getByRole('button', { name: 'Switch to offline' }));
    expect(closings()).toBe(0);
    fireEvent.pointerDown(elsewhere);
    expect(closings()).toBe(1);
  });

  test('closes on Escape and focuses its button', () => {
    const { panel, closings } = open();
    fireEvent.keyDown(panel, { key: 'Escape' });
    expect(closings()).toBe(1);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'open' }));
  });
});
