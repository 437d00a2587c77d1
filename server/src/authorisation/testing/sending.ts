/** The request of a call of the matrix. */
import type { Caller } from './callers.ts';
import type { World } from './world.ts';

export interface Sending {
  readonly params?: Readonly<Record<string, string>>;
  /** With the question mark. */
  readonly query?: string;
  readonly json?: unknown;
  readonly multipart?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
  /** Adds a proof with the caller's key. */
  readonly proof?: boolean;
}

/**
 * Prepares the target of the call and returns each caller's request. Runs again after the call has
 * succeeded.
 */
type Making = (world: World) => Promise<(caller: Caller) => Sending | Promise<Sending>>;

export interface CallRequest {
  readonly make: Making;
  /** Set if the success status differs from that of the endpoint. */
  readonly status?: (caller: Caller) => number;
  /** The call ends the caller's credentials. */
  readonly spends?: true;
}
export type Requests = Readonly<Record<string, CallRequest>>;

/** The same request for every caller. */
export const sends = (sending: Sending = {}): CallRequest => ({ make: async () => () => sending });

/** A request that depends on the caller only. */
export const each = (make: (caller: Caller, world: World) => Sending | Promise<Sending>): CallRequest => ({
  make: async (world) => (caller) => make(caller, world),
});

/** A request about a target that is prepared first. */
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
