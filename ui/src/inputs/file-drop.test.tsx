import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { FileDrop } from './file-drop.tsx';

afterEach(cleanup);

function Form({ isDisabled = false }: { readonly isDisabled?: boolean }) {
  const [names, setNames] = useState<readonly string[]>([]);
  const [name] = names;
  return (
    <FileDrop
      label="Backup file"
      prompt={{ text: 'Drop a file here or', choose: 'choose one', hint: 'any kind' }}
      icon={null}
      chosen={name === undefined ? null : { name, hint: `${names.length} dropped` }}
      replace="Replace"
      error={name === 'wrong' ? 'It is wrong' : null}
      isDisabled={isDisabled}
      onFiles={(files) => setNames(files.map((file) => file.name))}
    />
  );
}

const input = () => screen.getByLabelText('Backup file');
const choose = (...names: string[]) =>
  fireEvent.change(input(), { target: { files: names.map((name) => new File(['x'], name)) } });

test('after the first choice the focus moves to the replace button', () => {
  render(<Form />);
  screen.getByRole('button', { name: 'choose one' }).focus();
  choose('first');
  expect(screen.queryByRole('button', { name: 'choose one' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Replace' }));
});

test('the error describes the input', () => {
  render(<Form />);
  choose('wrong');
  expect(screen.getByRole('alert').id).toBe(input().getAttribute('aria-describedby'));
});

test('all dropped files are passed on, and none while the input is disabled', () => {
  const { rerender } = render(<Form />);
  const drop = (names: string[]) =>
    fireEvent.drop(screen.getByText(/^Drop a file here|dropped$/), {
      dataTransfer: { files: names.map((name) => new File(['x'], name)) },
    });
  drop(['one', 'two']);
  screen.getByText('2 dropped');
  rerender(<Form isDisabled />);
  drop(['three']);
  screen.getByText('one');
});
