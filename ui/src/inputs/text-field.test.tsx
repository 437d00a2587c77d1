import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { TextField } from './text-field.tsx';

afterEach(cleanup);

test.each(['text', 'url', 'email', 'password'] as const)(
  'a field of type %s has spell checking off, so its text stays on the page',
  (type) => {
    render(<TextField label="Address" type={type} value="" />);
    expect(screen.getByLabelText('Address').getAttribute('spellcheck')).toBe('false');
  },
);
