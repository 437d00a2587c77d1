/** Calls of the benchmarks of sign-in. */
import { csrfCookie } from '@passwordbroker/core/contract/account/session';
import type { TestApp } from '../../server/src/testing/test-app.ts';
import type { TestAnswer, TestClient, TestRequest } from '../../server/src/testing/test-client.ts';

/** @throws Error unless the answer has that status */
export async function answered(client: TestClient, request: TestRequest, status = 200): Promise<TestAnswer> {
  const answer = await client.request(request);
  if (answer.status !== status) throw new Error(`${request.path}: ${answer.status} ${answer.text}`);
  return answer;
}

/** Another browser that has its CSRF cookie. */
export async function browser(app: TestApp): Promise<TestClient> {
  const client = app.guest();
  await client.call(csrfCookie);
  return client;
}
