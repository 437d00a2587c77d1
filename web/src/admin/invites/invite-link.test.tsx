/**
 * A server that lies about the link of an invitation (M27): the link is shown as text with a
 * warning.
 */
import type { Invite } from '@passwordbroker/core/contract/users/invites';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { ADMIN_INVITES_TEXTS as TEXTS } from '../../texts/admin/users.ts';
import { addressOf, InviteLink } from './invite-page.tsx';

afterEach(cleanup);

const SERVER = 'https://vault.example.org';
const invite: Invite = {
  invite_id: '0197f1d2-0000-7000-8000-000000000001',
  email: 'bob@example.org',
  username: null,
  state: 'open',
  invited_by: null,
  created_at: '2026-03-02T03:00:00.000Z',
  expires_at: '2026-03-09T03:00:00.000Z',
  groups: [],
};
const shown = (link: string) => render(<InviteLink sent={{ link, invite, wasMailed: false }} server={SERVER} />);

describe('the link of an invitation (M27)', () => {
  test('to the requested server has no warning', () => {
    const { container } = shown(`${SERVER}/invite/abc`);
    expect(screen.getByLabelText<HTMLInputElement>(TEXTS.link).value).toBe(`${SERVER}/invite/abc`);
    expect([screen.queryByRole('alert'), container.querySelector('a')]).toEqual([null, null]);
  });

  test('loses a key that the server appended', () => {
    const key = `inviter=0197f1d2-0000-7000-8000-00000000dead&key=${'ee'.repeat(32)}&name=Ada`;
    shown(`${SERVER}/invite/abc#${key}`);
    expect(screen.getByLabelText<HTMLInputElement>(TEXTS.link).value).toBe(`${SERVER}/invite/abc`);
  });

  test.each([
    ['https://evil.example/invite/abc', 'evil.example'],
    ['http://vault.example.org/invite/abc', 'vault.example.org'],
    ['https://vault.example.org.evil.example/invite/abc', 'vault.example.org.evil.example'],
    ['https://vault.example.org@evil.example/invite/abc', 'evil.example'],
    ['https://vаult.example.org/invite/abc', 'xn--vult-53d.example.org'],
  ])('%s: shows the text and the real target', (link, host) => {
    const { container } = shown(link);
    expect(screen.getByLabelText<HTMLInputElement>(TEXTS.link).value).toBe(link);
    expect(screen.getByRole('alert').textContent).toContain(TEXTS.elsewhere(host));
    expect(container.querySelector('a')).toBeNull();
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '//evil.example/invite/abc',
    ' java\tscript:alert(1)',
    'mailto:evil@example.org',
    '',
  ])('%j: shows the text and says that it is not a link', (link) => {
    const { container } = shown(link);
    expect(screen.getByRole('alert').textContent).toContain(TEXTS.noLink);
    expect([container.querySelector('a'), container.querySelector('img')]).toEqual([null, null]);
  });
});

test('an address is described by its origin', () => {
  expect(addressOf('https://vault.example.org:8443/x', SERVER)).toEqual({
    leads: 'elsewhere',
    host: 'vault.example.org:8443',
  });
});
