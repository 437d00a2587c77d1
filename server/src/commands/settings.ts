import * as z from 'zod/mini';
import { changeSettings } from '@passwordbroker/core/contract/site/backups';
import { SITE_VALUES } from '@passwordbroker/core/contract/site/site';
import type { SettingName } from '@passwordbroker/core/contract/site/site';
import { backupSettings, changeBackupSettings } from '../backups/settings.ts';
import type { Deps } from '../http/context.ts';
import { examine, refuseFindings } from '../http/validation.ts';
import { readSite } from '../platform/site-settings-repository.ts';
import { changeSite } from '../system/site-settings.ts';
import { COMMAND_LINE, besideTheServer, EXIT, UsageError, type Command } from './command.ts';

const SITE_NAMES = Object.keys(SITE_VALUES) as SettingName[];
/** Without the archive password: an argument would stay in the shell history. */
const BACKUP_MEMBERS = ['schedule', 'enable', 'email_enable', 'email', 'keep', 'keep_days'] as const;
type BackupMember = (typeof BACKUP_MEMBERS)[number];

const BACKUP = 'backup_';
const NAMES = [...SITE_NAMES, ...BACKUP_MEMBERS.map((member) => `${BACKUP}${member}`)];
const OPERATOR = { actor: null, origin: COMMAND_LINE };

export const settingsList: Command = {
  summary: 'Prints every setting and limit of the site with its present value.',
  details: ['One per line: name, tab, value.'],
  args: [],
  options: {},
  run: (call) =>
    besideTheServer(call, async (deps) => {
      const present = await valuesOf(deps);
      for (const name of NAMES) call.terminal.say(`${name}\t${present[name]}`);
      return EXIT.done;
    }),
};

export const settingsSet: Command = {
  summary: 'Changes one setting or limit of the site.',
  details: [
    'Takes effect at once, also in a running server. settings list prints the names.',
    'backup_schedule is a list of hours with commas between: settings set backup_schedule 3,15',
  ],
  args: ['name', 'value'],
  options: {},
  async run(call) {
    const [name = '', value = ''] = call.args;
    const site = SITE_NAMES.find((each) => each === name);
    const backup = BACKUP_MEMBERS.find((member) => `${BACKUP}${member}` === name);
    if (site === undefined && backup === undefined) {
      throw new UsageError(`There is no setting of that name. There are: ${NAMES.join(', ')}.`);
    }
    return besideTheServer(call, async (deps) => {
      if (site !== undefined) await setOfSite(deps, site, value);
      else if (backup !== undefined) await setOfBackups(deps, backup, value);
      const stored = (await valuesOf(deps))[name];
      call.terminal.say(`${name} is ${stored === '' ? 'empty' : stored} now.`);
      return EXIT.done;
    });
  },
};

export const localSignInCommand: Command = {
  summary: 'Lets account passwords sign in again: the way in when an identity provider is away.',
  details: ['allowed: for everybody. to_link: only to link an account to a provider. Takes effect at once.'],
  args: ['allowed|to_link'],
  options: {},
  async run(call) {
    const value = (['allowed', 'to_link'] as const).find((one) => one === call.args[0]);
    if (value === undefined) throw new UsageError('Say allowed or to_link. It is switched off in the panel alone.');
    return besideTheServer(call, async (deps) => {
      await setOfSite(deps, 'local_sign_in', value);
      call.terminal.say(`local_sign_in is ${value} now.`);
      return EXIT.done;
    });
  },
};

/** By name, as text. */
async function valuesOf(deps: Deps): Promise<Readonly<Record<string, string>>> {
  const backups = await backupSettings(deps);
  const entries = [
    ...Object.entries(await readSite(deps)),
    ...BACKUP_MEMBERS.map((member) => [`${BACKUP}${member}`, backups[member] ?? ''] as const),
  ];
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/** @throws AppError `validation` */
async function setOfSite(deps: Deps, name: SettingName, value: string): Promise<void> {
  const read = examine(z.object({ [name]: SITE_VALUES[name] }), { [name]: value });
  refuseFindings(read);
  await changeSite(deps, OPERATOR, read.value as Parameters<typeof changeSite>[2]);
}

/** @throws AppError `validation` */
async function setOfBackups(deps: Deps, member: BackupMember, value: string): Promise<void> {
  const present = await backupSettings(deps);
  const kept = Object.fromEntries(BACKUP_MEMBERS.map((each) => [each, present[each]]));
  const given = member === 'schedule' ? value.split(/[\s,]+/).filter((hour) => hour !== '') : value;
  const read = examine(changeSettings.body.schema, { ...kept, [member]: given });
  refuseFindings(read);
  await changeBackupSettings(deps, OPERATOR, read.value as Parameters<typeof changeBackupSettings>[2]);
}
