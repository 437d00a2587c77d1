/** What a call of the matrix sends. */
import type { Caller } from './callers.ts';
import type { World } from './world.ts';

export interface Sending {
  readonly params?: Readonly<Record<string, string>>;
  /** With its question mark. */
  readonly query?: string;
  readonly json?: unknown;
  readonly multipart?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
  /** A proof under the caller's key goes with it. */
  readonly proof?: boolean;
}

/** Puts ready what the call is about, and answers what each caller sends. Done anew once the call has been carried out. */
type Making = (world: World) => Promise<(caller: Caller) => Sending | Promise<Sending>>;

export interface CallRequest {
  readonly make: Making;
  /** Where the success status is not that of the endpoint. */
  readonly status?: (caller: Caller) => number;
  /** The credentials of the caller end by it. */
  readonly spends?: true;
}
export type Requests = Readonly<Record<string, CallRequest>>;

/** The same from everybody. */
export const sends = (sending: Sending = {}): CallRequest => ({ make: async () => () => sending });

/** What depends on the caller alone. */
export const each = (make: (caller: Caller, world: World) => Sending | Promise<Sending>): CallRequest => ({
  make: async (world) => (caller) => make(caller, world),
});

/** What is about something that is put ready first. */
export const about = <T>(
  prepare: (world: World) => T | Promise<T>,
  make: (thing: T, caller: Caller, world: World) => Sending | Promise<Sending>,
): CallRequest => ({
  make: async (world) => {
    const thing = await prepare(world);
    return (caller) => make(thing, caller, world);
  },
});

/** The caller's own master password. */
export const withMasterPassword = ({ person }: Caller, members: object = {}) => ({
  ...members,
  master_password: person.masterPassword,
});
