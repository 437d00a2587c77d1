/** Service accounts with real keys for tests. */
import { v7 } from 'uuid';
import { createService } from '@passwordbroker/core/contract/users/service-accounts';
import {
  bearerOf,
  deriveMachineToken,
  readCredential,
  type ServiceCredential,
} from '@passwordbroker/core/domain/keyring/service/service-credential';
import { createServiceKeys } from '@passwordbroker/core/domain/keyring/service/service-keyring';
import type { SignedIn, TestApp } from './test-app.ts';
import type { TestPerson } from './test-person.ts';
import { callWithProof } from './test-proof.ts';

export interface TestService extends TestPerson {
  /** What follows `Bearer `. */
  readonly bearer: string;
  /** `pbsa1_…` */
  readonly text: string;
  readonly slotId: string;
}

export const credentialOf = (text: string): ServiceCredential => {
  const credential = readCredential(text);
  if (credential === null) throw new TypeError('No credential');
  return credential;
};

export async function bearerOfText(text: string): Promise<string> {
  const credential = credentialOf(text);
  return bearerOf(credential.slotId, await deriveMachineToken(credential));
}

/** Keys of a new service account, as the parts of a body. */
export async function newServiceBody(name: string, userId = v7(), keysetVersion = 1) {
  const made = await createServiceKeys({ userId, origin: 'http://localhost', keysetVersion });
  const { keyset, certificate } = made.bundle;
  return { made, body: { user_id: userId, name, key_bundle: { keyset, certificate }, credential: made.credential } };
}

/** @param owner the site must let this person create one */
export async function createTestService(
  app: Pick<TestApp, 'deps'>,
  owner: SignedIn,
  name: string,
  more: object = {},
): Promise<TestService> {
  const { made, body } = await newServiceBody(name);
  await callWithProof(app, owner, createService, { params: {}, body: { ...body, ...more } });
  return {
    userId: body.user_id,
    name,
    email: '',
    password: '',
    masterPassword: 'none',
    keyring: made.keyring,
    bundle: { ...made.bundle, slots: [] },
    documents: [],
    bearer: await bearerOfText(made.text),
    text: made.text,
    slotId: made.credential.slot_id,
  };
}
