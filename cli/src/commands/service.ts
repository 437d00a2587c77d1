/** service: accounts of programs. */
import type { ServiceAccount } from '@passwordbroker/core/contract/users/service-accounts';
import { SERVICE_LIMITS } from '@passwordbroker/core/domain/limits';
import type { Made } from '../engine/service-accounts.ts';
import { CommandError, EXIT, failureOf, wrongUsage } from '../failure.ts';
import { parsePath } from '../references.ts';
import { withNewFile } from '../terminal/new-file.ts';
import { table } from '../terminal/output.ts';
import { agree, type Command, type Context, print, withCancel, withFreshSignIn } from './command.ts';

const DAY = 24 * 60 * 60 * 1000;

export const SERVICE: Command = {
  name: 'service',
  usage:
    'create NAME [--group PATH]… [--days N] [--network CIDR]… -o FILE | renew NAME -o FILE | ls | rotate -o FILE [--overlap HOURS] | owner NAME EMAIL | end ID | rm NAME',
  summary: 'Accounts of programs: one secret in PB_SERVICE reads chosen groups, without sign-in and agent.',
  options: {
    group: { type: 'string', multiple: true, value: 'PATH', help: 'a group that the account may read' },
    days: { type: 'string', value: 'N', help: 'days until the credential expires (1 to 365, default 90)' },
    network: { type: 'string', multiple: true, value: 'CIDR', help: 'only from these addresses' },
    output: { type: 'string', short: 'o', value: 'FILE', help: 'a new file for the credential that only you can read' },
    overlap: { type: 'string', value: 'HOURS', help: 'hours that the former credential still works (0 to 168)' },
  },
  takes: [1, 3],
  examples: [
    'pb service create deploy --group ops/production -o deploy.credential',
    'PB_SERVICE_FILE=deploy.credential pb service rotate --overlap 24 -o next.credential',
    'pb service renew deploy -o deploy.credential',
    'pb service owner deploy grace@example.org',
    'pb service ls',
  ],
  async run(context) {
    const [what = '', ...given] = context.given;
    const action = Object.hasOwn(ACTIONS, what) ? ACTIONS[what] : undefined;
    if (action === undefined || given.length !== action.takes) throw wrongUsage(`Use: pb service ${SERVICE.usage}`);
    const [first = '', second = ''] = given;
    await action.run(context, first, second);
  },
};

interface Action {
  /** Number of arguments. */
  readonly takes: number;
  readonly run: (context: Context, first: string, second: string) => Promise<void>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  create: { takes: 1, run: create },
  renew: { takes: 1, run: renew },
  ls: { takes: 0, run: list },
  rotate: { takes: 0, run: rotate },
  owner: {
    takes: 2,
    async run(context, name, email) {
      await agree(context, `Give the service account “${name}” to ${email}?`);
      const given = await (await context.engine('signed in')).call('giveService', { name, email });
      print(context, given, () => '');
    },
  },
  end: {
    takes: 1,
    async run(context, slotId) {
      await (await context.engine('signed in')).call('endCredential', { slotId });
    },
  },
  rm: {
    takes: 1,
    async run(context, name) {
      await agree(context, `Delete the service account “${name}”? Programs that use it stop working.`);
      await (await context.engine('signed in')).call('removeService', { name });
    },
  },
};

async function create(context: Context, name: string): Promise<void> {
  const { options } = context;
  const days = options.number('days', SERVICE_LIMITS.usualDays, 1, SERVICE_LIMITS.days);
  const groups = options.texts('group').map(parsePath);
  const engine = await context.engine('unlocked');
  const asked = { name, days, networks: options.texts('network'), groups };
  const made = await intoFile(
    context,
    () => withCancel((signal) => engine.call('createService', asked, { signal })),
    async ({ id }) => {
      await engine.call('removeService', { name: id });
      return 'The service account was removed again.';
    },
  );
  tellMade(context, made);
}

/** After a loss. */
async function renew(context: Context, name: string): Promise<void> {
  const days = context.options.number('days', SERVICE_LIMITS.usualDays, 1, SERVICE_LIMITS.days);
  const engine = await context.engine('unlocked');
  await agree(context, `Make new keys for “${name}”? Its present credentials end at once.`);
  const call = () => engine.call('renewService', { name, days });
  const make = () => withFreshSignIn(context, engine, call);
  const again = `The new credential is lost, and the former ones have ended. Try again: pb service renew ${name} -o FILE`;
  tellMade(context, await intoFile(context, make, async () => again));
}

/** All but the credential, which is in the file alone. */
function tellMade({ isJson, terminal }: Context, made: Made): void {
  const { text } = made;
  if (isJson) terminal.out(`${JSON.stringify(made, (_, value: unknown) => (value === text ? undefined : value), 2)}\n`);
  else terminal.out(`PB_SERVICE_PINS=${made.pin}\n`);
  if (made.missed.length > 0)
    throw new CommandError(
      EXIT.failed,
      'not_added',
      `The credential was made, but the account was not added to:\n${made.missed.join('\n')}`,
    );
}

async function rotate(context: Context): Promise<void> {
  const { options, environment, terminal } = context;
  const { createServiceEngine, serviceSource } = await import('../engine/engine.ts');
  const source = serviceSource(environment);
  if (source === null) throw wrongUsage('The present credential is read from PB_SERVICE or PB_SERVICE_FILE.');
  const hours = options.number('overlap', 0, 0, SERVICE_LIMITS.overlapHours);
  const days = options.number('days', SERVICE_LIMITS.usualDays, 1, SERVICE_LIMITS.days);
  const engine = await createServiceEngine(source, environment, (sentence) => terminal.note(sentence));
  try {
    const make = async () => ({ text: await engine.addCredential({ days, hours }) });
    await intoFile(context, make, async () => LOST);
  } finally {
    engine.end();
  }
}

const LOST =
  'The new credential is lost. The owner of the account can end it (pb service end ID) or make new keys (pb service renew).';

/**
 * Opens the file before anything is made.
 * @param lost of what was made and cannot be stored: undoes it, and returns what the person has to know
 * @throws CommandError
 */
async function intoFile<T extends { readonly text: string }>(
  { options }: Context,
  make: () => Promise<T>,
  lost: (made: T) => Promise<string>,
): Promise<T> {
  const path = options.text('output');
  if (path === undefined) throw wrongUsage('Name a new file for the credential: -o FILE');
  return withNewFile({ path, isReplaced: false }, async (write) => {
    const made = await make();
    try {
      write(`${made.text}\n`);
    } catch (error) {
      const { message } = failureOf(error);
      throw new CommandError(EXIT.failed, 'no_file', `${message} ${await lost(made)}`);
    }
    return made;
  });
}

async function list(context: Context): Promise<void> {
  const rows = await (await context.engine('signed in')).call('services', null);
  print(context, rows, () => table(rows.flatMap(linesOf), null));
}

/** One line for each credential, or one for an account without any. */
function linesOf({ name, owner, groups, disabled, credentials }: ServiceAccount): string[][] {
  const about = [name, owner?.name ?? 'no owner', groups === 1 ? '1 group' : `${groups} groups`];
  if (disabled) return [[...about, 'disabled', '']];
  if (credentials.length === 0) return [[...about, 'ended', '']];
  return credentials.map(({ slot_id, expires_at, last_used_at }) => {
    const left = Math.max(0, Math.floor((Date.parse(expires_at) - Date.now()) / DAY));
    const used = last_used_at === null ? 'never used' : `used ${last_used_at.slice(0, 10)}`;
    return [...about, `ends in ${left} days, ${used}`, slot_id];
  });
}
