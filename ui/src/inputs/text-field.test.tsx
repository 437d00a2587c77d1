import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { TextField } from './text-field.tsx';

afterEach(cleanup);

test.each(['text', 'url', 'email', 'password'] as const)(
  'what is typed into %s leaves the page for no spell check',
  (type) => {
    render(<TextField label="Address" type={type} value="" />);
    expect(screen.getByLabelText('Address').getAttribute('spellcheck')).toBe('false');
  },
);
