/** What a command asks of the vault. It runs where the keys are: in the agent, or with `--no-agent` in this process. */
import { confirmPassword, confirmWays } from '@passwordbroker/core/contract/account/credentials';
import type { CodeMethod } from '@passwordbroker/core/contract/account/sign-in-methods';
import { resolveNames } from '@passwordbroker/client/vault/entries/resolve';
import type { EntryPath, ExportWork, Revealed, Vault, VaultWrite } from '@passwordbroker/client/vault/vault';
import { CommandError, DISPUTED, EXIT, NOT_SIGNED_IN } from '../failure.ts';
import type { Clipboard } from './clipboard.ts';
import { exportingOf } from './exporting.ts';
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

export interface CallOptions {
  /** Cancels the operation, if it can be cancelled. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (work: ExportWork) => void;
}

/** Where the operations run. */
export interface Engine {
  /** @throws what `failureOf` reads */
  call<Name extends OperationName>(name: Name, input: InputOf<Name>, options?: CallOptions): Promise<OutputOf<Name>>;
  end(): void;
}

/** Each throws what `failureOf` reads. */
export function operationsOf(client: NodeClient, clipboard: Clipboard) {
  const { http, keyring, session, servers, serverClock, vault } = client;
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

  /** @throws CommandError for a disputed group */
  const demandTrusted = async (groupId: string): Promise<void> => {
    await vault.read.examine(groupId);
    if (vault.memberships.trust(groupId)?.state === 'disputed')
      throw new CommandError(EXIT.notTrusted, 'group_disputed', DISPUTED);
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

    /** The codes of which one is needed beside the account password. @throws CommandError if it does not confirm */
    async codesToConfirm(): Promise<readonly CodeMethod[]> {
      await signedIn();
      const { ways } = await http.call(confirmWays);
      const way = ways.find((one) => 'password' in one);
      const codes = way?.factor.filter((method) => method !== 'passkey') ?? [];
      if (way === undefined || (codes.length === 0 && way.factor.length > 0))
        throw new CommandError(EXIT.refused, 'reauth_required', 'This needs a new sign-in: pb login');
      return codes;
    },

    /** Makes a fresh sign-in. @throws AppError `validation` for a wrong password or code */
    async confirmSignIn({
      password,
      code,
    }: {
      readonly password: string;
      readonly code: string | null;
    }): Promise<void> {
      await signedIn();
      await http.call(confirmPassword, { body: { password, ...(code === null ? {} : { code }) } });
    },

    ...readingOf({ read: trustedReads(vault, demandTrusted), resolve: resolveNames(http) }, clipboard, signedIn, () =>
      serverClock.difference(),
    ),
    ...writingOf(vault, write, signedIn, () => session.view().user?.user_id),
    ...sharingOf(vault, write, signedIn, () => keyring.isOpen()),
    ...importingOf(vault.read, write, signedIn),
    ...exportingOf(client, vault.read, write, signedIn, demandTrusted),
    ...servicesOf(client, vault.read, write, signedIn),
  };
}

/** Reveals nothing of a disputed group, and no value older than one seen before: nobody reads a warning in a script. */
function trustedReads({ read }: Pick<Vault, 'read'>, demandTrusted: (groupId: string) => Promise<void>): Vault['read'] {
  const check = ({ entryGroupId }: EntryPath) => demandTrusted(entryGroupId);
  /** @throws CommandError */
  const checkAge = ({ disagreements }: Revealed) => {
    if (disagreements.includes('older')) throw new CommandError(EXIT.notTrusted, 'older', OLDER);
  };
  return {
    ...read,
    async reveal(path, signal, purpose) {
      await check(path);
      const revealed = await read.reveal(path, signal, purpose);
      checkAge(revealed);
      return revealed;
    },
    async revealSeveral(paths, use) {
      for (const path of paths) await check(path);
      const all = await read.revealSeveral(paths, use);
      for (const revealed of all) checkAge(revealed);
      return all;
    },
    async openFile(path, watched) {
      await check(path);
      const opened = await read.openFile(path, watched);
      checkAge(opened.revealed);
      return opened;
    },
  };
}

const OLDER =
  'The server shows an older value than the one that this device has seen. Look at its history in the browser.';
