/** What a command asks of the vault. It runs where the keys are: in the agent, or with `--no-agent` in this process. */
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { CommandError, EXIT, NOT_SIGNED_IN } from '../failure.ts';
import type { Clipboard } from './clipboard.ts';
import { importingOf } from './importing.ts';
import type { NodeClient } from './node-platform.ts';
import { readingOf } from './reading.ts';
import { servicesOf } from './service-accounts.ts';
import { sharingOf } from './sharing.ts';
import { writingOf } from './writing.ts';

export interface Status {
  readonly server: string;
  readonly email: string;
  readonly name: string;
  readonly isUnlocked: boolean;
}

type Operations = ReturnType<typeof operationsOf>;
export type OperationName = keyof Operations;
export type InputOf<Name extends OperationName> = Parameters<Operations[Name]>[0];
export type OutputOf<Name extends OperationName> = Awaited<ReturnType<Operations[Name]>>;

/** Where the operations run. */
export interface Engine {
  /** @throws what `failureOf` reads */
  call<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>>;
  end(): void;
}

/** Each throws what `failureOf` reads. */
export function operationsOf(client: NodeClient, clipboard: Clipboard) {
  const { keyring, session, servers, vault } = client;
  let checked: Promise<void> | null = null;

  /** @throws CommandError if nobody is signed in here, or the server is away */
  const signedIn = async () => {
    await (checked ??= session.check());
    const { status } = session.view();
    if (status === 'logged-in') return;
    checked = null;
    if (status === 'network_error')
      throw new CommandError(EXIT.noConnection, 'no_connection', 'The server cannot be reached.');
    throw new CommandError(EXIT.notSignedIn, 'unauthenticated', NOT_SIGNED_IN);
  };
  const write = (): VaultWrite => {
    if (vault.write === null) throw new Error('The vault of a server can be written');
    return vault.write;
  };

  return {
    async status(): Promise<Status> {
      await signedIn();
      const { user } = session.view();
      return {
        server: servers.chosen() ?? '',
        email: user?.email ?? '',
        name: user?.name ?? '',
        isUnlocked: keyring.isOpen(),
      };
    },

    async unlock({ masterPassword }: { readonly masterPassword: string }): Promise<void> {
      await signedIn();
      await keyring.unlock(masterPassword);
    },

    async lock(): Promise<void> {
      keyring.lock();
    },

    ...readingOf(vault, clipboard, signedIn),
    ...writingOf(vault, write, signedIn),
    ...sharingOf(vault, write, signedIn),
    ...importingOf(vault.read, write, signedIn),
    ...servicesOf(client, vault.read, write, signedIn),
  };
}
