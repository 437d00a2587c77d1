/** What config and doctor do: the choices of this device, and what may be wrong with it. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CONTRACT_VERSION, VERSION } from '@passwordbroker/core/contract/client';
import { setup } from '@passwordbroker/core/contract/site/system';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { createLockAfter } from '@passwordbroker/client/keyring/lock/auto-lock';
import { connectAgent } from '../agent/connect.ts';
import { agentNote } from '../agent/agent-address.ts';
import { CLEAR_AFTER, clipboardPrograms, storeClearAfter, storedClearAfter, wholeNumber } from '../engine/clipboard.ts';
import { createNodeClient, type NodeClient } from '../engine/node-platform.ts';
import { serviceSource } from '../engine/service-engine.ts';
import { openStateFolder, type StateFolder, statePath } from '../engine/state-folder.ts';
import { CommandError, EXIT, type Exit, failureOf, wrongUsage } from '../failure.ts';
import { table } from '../terminal/output.ts';
import { type Context, print } from './command.ts';
import { originOf } from './sign-in.ts';

interface Setting {
  /** Null: not chosen. */
  readonly read: (state: StateFolder) => string | null;
  /** @throws CommandError for a wrong value */
  readonly write: (state: StateFolder, value: string, context: Context) => Promise<void>;
}

const LOCK_MINUTES = { least: 1, most: LIMITS.lockMinutes } as const;

const SETTINGS: Readonly<Record<string, Setting>> = {
  server: {
    read: (state) => createNodeClient(state).servers.chosen(),
    async write(state, value, { environment, terminal, isQuiet }) {
      const origin = originOf(value);
      const { servers } = createNodeClient(state);
      if (servers.chosen() === origin) return;
      servers.choose(origin);
      // A running agent would keep using the former server.
      await (await connectAgent(agentNote(environment)))?.stop();
      if (!isQuiet && (await state.tokens.of(origin)) === null)
        terminal.note('You are not signed in there. Sign in: pb login');
    },
  },
  'lock-minutes': {
    read: ({ plain }) => String(createLockAfter(() => plain).minutes()),
    async write({ plain }, value, { terminal, isQuiet }) {
      const lockAfter = createLockAfter(() => plain);
      const isStored = lockAfter.choose(demandNumber('lock-minutes', value, LOCK_MINUTES));
      if (!isStored)
        throw new CommandError(EXIT.failed, 'not_stored', 'The setting cannot be stored. Check: pb doctor');
      if (!isQuiet && lockAfter.minutes() < Number(value))
        terminal.note(`The site locks after at most ${lockAfter.most()} minutes.`);
    },
  },
  'clear-after': {
    read: (state) => String(storedClearAfter(state)),
    async write(state, value) {
      storeClearAfter(state, demandNumber('clear-after', value, CLEAR_AFTER));
    },
  },
};

function demandNumber(name: string, value: string, bounds: { readonly least: number; readonly most: number }): number {
  const number = wholeNumber(value, bounds);
  if (number === null) throw wrongUsage(`${name} is a number from ${bounds.least} to ${bounds.most}.`);
  return number;
}

/** @param usage what a wrong one is answered with. @throws CommandError */
export async function runConfig(context: Context, usage: string): Promise<void> {
  const { given, environment } = context;
  const [verb, name = '', value] = given;
  const state = openStateFolder(statePath(environment));
  if (verb === 'list' && given.length === 1) {
    const all = Object.entries(SETTINGS).map(([one, { read }]) => [one, read(state)] as const);
    return print(context, Object.fromEntries(all), () =>
      table(
        all.map(([one, read]) => [one, read ?? '']),
        null,
      ),
    );
  }
  if (!(verb === 'get' && given.length === 2) && !(verb === 'set' && given.length === 3)) throw wrongUsage(usage);
  const setting = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
  if (setting === undefined) throw wrongUsage(`A setting is one of: ${Object.keys(SETTINGS).join(', ')}.`);
  if (value !== undefined) return setting.write(state, value, context);
  const read = setting.read(state);
  print(context, { [name]: read }, () => `${read ?? ''}\n`);
}

/** `note`: something is missing that not everybody needs. */
interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'note' | 'problem';
  readonly text: string;
}

type Look = (context: Context) => Promise<Omit<Finding, 'what'>>;

const ok = (text: string) => ({ state: 'ok', text }) as const;
const note = (text: string) => ({ state: 'note', text }) as const;
const problem = (text: string) => ({ state: 'problem', text }) as const;

/** Fails if it finds a problem. */
export async function runDoctor(context: Context): Promise<Exit> {
  const found: Finding[] = [];
  for (const [what, look] of Object.entries(looks())) {
    const looked = await look(context).catch((error: unknown) => problem(failureOf(error).message));
    found.push({ what, ...looked });
  }
  print(context, found, () =>
    table(
      found.map(({ what, state, text }) => [MARKS[state], what, text]),
      null,
    ),
  );
  return found.some(({ state }) => state === 'problem') ? EXIT.failed : EXIT.done;
}

const MARKS = { ok: 'ok', note: '-', problem: '!' } as const;

/** In this order: the clock is known once the server has answered. */
function looks(): Readonly<Record<string, Look>> {
  let client: NodeClient | null = null;
  let isAnswered = false;
  return {
    program: async () => ok(`pb ${VERSION}, Node ${process.versions.node}`),

    async folder({ environment }) {
      const state = openStateFolder(statePath(environment));
      client = createNodeClient(state);
      return ok(state.path);
    },

    async agent({ environment }) {
      const agent = await connectAgent(agentNote(environment));
      if (agent === null) return note('No agent runs. The vault is locked.');
      try {
        if (agent.isOtherVersion) return problem('The agent is of another version of pb. Run: pb lock');
        return ok('It runs. Only this account can reach its socket.');
      } finally {
        agent.end();
      }
    },

    async 'service account'({ environment }) {
      const source = serviceSource(environment);
      if (source === null) return note('None: PB_SERVICE and PB_SERVICE_FILE are not set.');
      return ok(`The credential is whole. It is for ${source.credential.origin}.`);
    },

    async server({ environment }) {
      const origin = serviceSource(environment)?.credential.origin ?? client?.servers.chosen() ?? null;
      if (client === null || origin === null) return note('None is chosen. Sign in: pb login https://…');
      client.http.setServer({ origin, token: null });
      const { version, contract = BEFORE } = await client.http.call(setup);
      isAnswered = true;
      if (contract.oldest > CONTRACT_VERSION) return problem('This program is too old for the server. Update it.');
      const about = `${origin}, version ${version}`;
      return contract.current < CONTRACT_VERSION ? note(`${about}: older than this program.`) : ok(about);
    },

    async clock() {
      const off = client?.serverClock.difference() ?? 0;
      if (!isAnswered) return note('Not compared: no server has answered.');
      if (Math.abs(off) <= MOST_OFF_MS) return ok('It agrees with the server.');
      return problem(
        `It is ${Math.round(Math.abs(off) / 1000)} seconds ${off > 0 ? 'ahead of' : 'behind'} the server.`,
      );
    },

    async clipboard({ environment }) {
      const programs = clipboardPrograms(process.platform, environment);
      const there = programs.find((file) => isInPath(file, environment));
      return there === undefined ? note(`There is none of ${programs.join(', ')}: pb copy does not work.`) : ok(there);
    },
  };
}

/** Of a server that does not say its contract. */
const BEFORE = { current: 1, oldest: 1 } as const;

const MOST_OFF_MS = 30_000;

function isInPath(file: string, { PATH = '' }: NodeJS.ProcessEnv): boolean {
  if (process.platform === 'win32') return true;
  return PATH.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, file), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
