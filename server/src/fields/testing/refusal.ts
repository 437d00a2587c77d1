/** Refused creates of fields: the exact error, and that nothing was stored. */
import { expect } from 'vitest';
import type { TestApp } from '../../testing/test-app.ts';
import { listBodies } from '../../testing/test-bodies.ts';
import type { TestAnswer } from '../../testing/test-client.ts';

/** Every row of fields, and every file body on the disk. */
export async function storedFields(app: TestApp): Promise<object> {
  const { read } = app.deps.db;
  return {
    entries: await read.selectFrom('entries').selectAll().execute(),
    fields: await read.selectFrom('fields').selectAll().execute(),
    revisions: await read.selectFrom('field_revisions').select(['field_id', 'rev']).execute(),
    history: await read.selectFrom('field_history').selectAll().execute(),
    bodies: await listBodies(app),
  };
}

export async function expectRefusal(app: TestApp, send: () => Promise<TestAnswer>, expected: object): Promise<void> {
  const before = await storedFields(app);
  const answer = await send();
  expect({ status: answer.status, ...answer.json() }, answer.text).toMatchObject(expected);
  if ('errors' in expected) expect(answer.json()['errors']).toEqual(expected.errors);
  expect(await storedFields(app)).toEqual(before);
}

/** The response to a malformed sealed member. */
export const malformed = (member: string) => ({
  status: 422,
  code: 'bad_sealed_value',
  errors: { [member]: [`The ${member.replaceAll('_', ' ')} is malformed.`] },
});

/** The response to invalid members, each with its text. */
export const invalid = (errors: Readonly<Record<string, string>>) => ({
  status: 422,
  code: 'validation',
  errors: Object.fromEntries(Object.entries(errors).map(([name, text]) => [name, [text]])),
});
