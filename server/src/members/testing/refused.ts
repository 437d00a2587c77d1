/** Expects a call to be refused. */
import { expect } from 'vitest';

export async function refused(call: Promise<unknown>, expected: object): Promise<void> {
  const outcome = await call.then(
    () => 'was done',
    (error: unknown) => error,
  );
  expect(outcome).toMatchObject(expected);
}
