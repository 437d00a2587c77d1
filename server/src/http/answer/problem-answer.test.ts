import fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError, PROBLEM_STATUS } from '@passwordbroker/core/contract/problem';
import type { ProblemCode } from '@passwordbroker/core/contract/problem';
import { createLog } from '../../platform/log.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { asAppError, sendProblem } from './problem-answer.ts';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

test('T158: 429 after too many wrong passwords has Retry-After', async () => {
  const limited = [];
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const json = { email: ada.email, password: 'wrong' };
    const answer = await app.guest().request({ path: '/identity/api/login', json });
    if (answer.status === 429) limited.push(answer);
  }
  expect(limited.length).toBeGreaterThan(0);
  for (const { headers } of limited) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
});

const failures: readonly [name: string, error: unknown][] = [
  ...(Object.keys(PROBLEM_STATUS) as ProblemCode[]).map((code) => [code, new AppError(code)] as [string, unknown]),
  ['a lost database connection', Object.assign(new Error('gone'), { code: '57P01' })],
  ['a locked database', Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' })],
];

test.each(failures)('T158: %s: Retry-After comes with 429 and 503 only', async (_name, error) => {
  const server = fastify();
  server.get('/', (_request, reply) => sendProblem(reply, asAppError(error, 'id', createLog('silent')), 'id'));
  const { statusCode, headers } = await server.inject('/');
  await server.close();
  const isExpected = statusCode === 429 || statusCode === 503;
  expect(headers['retry-after']).toEqual(isExpected ? expect.stringMatching(/^[1-9]\d*$/) : undefined);
});
