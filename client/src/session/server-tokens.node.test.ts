/** Tokens of other servers while another tab signs in there. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken } from '@passwordbroker/core/contract/account/credentials';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import { vaultOf } from '../testing/real-vault.node.ts';
import { serverTokens } from './server-tokens.ts';
import type { TokenRecord, TokenRecords } from '../platform.ts';
import { ownServer } from '../testing/signs-in-here.ts';

let app: TestApp;
let ada: SignedIn;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

/** An empty origin, so that requests reach the server of this test. */
const HERE = '';

function recordsInMemory(first: TokenRecord): TokenRecords & { row: TokenRecord | null } {
  const of = async (): Promise<TokenRecord | null> => (kept.row?.is_left === true ? null : kept.row);
  const kept: TokenRecords & { row: TokenRecord | null } = {
    row: first,
    of,
    all: async () => (kept.row === null ? [] : [kept.row]),
    keep: async (record) => void (kept.row = record),
    async forget(_url, token) {
      if (token === undefined || kept.row?.token === token) kept.row = null;
    },
    leave: async () => undefined,
    leftAt: async () => (kept.row?.is_left === true ? kept.row : null),
    clientId: () => 'browser',
  };
  return kept;
}

const newToken = async (): Promise<TokenRecord> => {
  const { token } = await ada.call(createToken, { body: { token_name: crypto.randomUUID() } });
  const { userId: user_id, email: login, name } = ada;
  return { user_id, login, name, url: HERE, token, is_admin: false };
};
const nothingOwed = {
  hasCopyOf: async () => false,
  nobodyIsSignedIn: async () => undefined,
  forgetCopyOf: async () => undefined,
  owesLogout: () => false,
  setOwesLogout: () => undefined,
};

test('a pending logout deletes its own token', async () => {
  const records = recordsInMemory({ ...(await newToken()), is_left: true });
  const { http } = vaultOf(app.guest());
  await serverTokens(http, ownServer(), nothingOwed).payLogoutAt(HERE, records);
  expect(records.row).toBeNull();
});

test('a pending logout keeps the token with which another tab has signed in meanwhile', async () => {
  const records = recordsInMemory({ ...(await newToken()), is_left: true });
  const newer = await newToken();
  const real = vaultOf(app.guest());
  real.before = async (request) => {
    if (request.endsWith('/logout')) await records.keep(newer);
  };
  await serverTokens(real.http, ownServer(), nothingOwed).payLogoutAt(HERE, records);
  expect(records.row).toBe(newer);
});
