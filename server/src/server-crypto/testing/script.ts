/** A script against the API that knows paths and a master password, but no keys. */
import type { TestAnswer, TestClient } from '../../testing/test-client.ts';

const BASE = '/passwordBroker/api';

export interface Script {
  readonly client: TestClient;
  readonly email: string;
  readonly password: string;
  readonly masterPassword: string;
  createGroup(name: string, more?: object): Promise<string>;
  createEntry(groupId: string, title: string): Promise<string>;
  /** A field of the plain form; a file is sent as multipart. */
  createField(place: EntryPath, members: Readonly<Record<string, string>>, file?: File): Promise<TestAnswer>;
  decrypt(place: EntryPath & { readonly f: string }, masterPassword?: unknown): Promise<TestAnswer>;
}

export interface EntryPath {
  readonly g: string;
  readonly e: string;
}

export const fieldsPath = ({ g, e }: EntryPath) => `${BASE}/entryGroups/${g}/entries/${e}/fields`;

/**
 * Signs somebody up in the plain form. The first sign-up also signs in; later ones need the session
 * of a site admin.
 */
export async function signUpPlain(client: TestClient, name: string, admin?: TestClient): Promise<Script> {
  const [password, masterPassword] = [`${name} account password`, `${name} mästér pässword ☂`];
  const email = `${name}@example.org`;
  const user = {
    username: name,
    email,
    password,
    password_confirmation: password,
    master_password: masterPassword,
    master_password_confirmation: masterPassword,
  };
  await accepted((admin ?? client).request({ path: '/identity/api/registration', json: { user } }), 201);
  if (admin !== undefined) {
    await accepted(client.request({ path: '/identity/api/login', form: { email, password } }), 200);
  }
  return scriptOf(client, { email, password, masterPassword });
}

export function scriptOf(
  client: TestClient,
  person: { readonly email: string; readonly password: string; readonly masterPassword: string },
): Script {
  const { masterPassword } = person;
  return {
    client,
    ...person,
    async createGroup(name, more = { master_password: masterPassword }) {
      const answer = await accepted(client.request({ path: `${BASE}/entryGroups`, json: { name, ...more } }), 201);
      return answer.json<{ entryGroup: { entry_group_id: string } }>().entryGroup.entry_group_id;
    },
    async createEntry(groupId, title) {
      const path = `${BASE}/entryGroups/${groupId}/entries`;
      const answer = await accepted(client.request({ path, form: { title } }), 201);
      return answer.json<{ entry_id: string }>().entry_id;
    },
    createField(place, members, file) {
      const path = fieldsPath(place);
      const all = { master_password: masterPassword, ...members };
      if (file === undefined) return client.request({ path, json: all });
      const multipart = new FormData();
      for (const [name, value] of Object.entries(all)) multipart.append(name, value);
      multipart.append('file', file);
      return client.request({ path, multipart });
    },
    decrypt: (place, given = masterPassword) =>
      client.request({ path: `${fieldsPath(place)}/${place.f}/decrypted`, json: { master_password: given } }),
  };
}

async function accepted(answering: Promise<TestAnswer>, status: number): Promise<TestAnswer> {
  const answer = await answering;
  if (answer.status !== status) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
}
