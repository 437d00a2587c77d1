import { CHECKUP_POINTS } from '@passwordbroker/core/contract/site/checkup';
import type { CheckupPointName, CheckupReason } from '@passwordbroker/core/contract/site/checkup';
import type { Deps } from '../http/context.ts';
import { keepPoint, siteCheckup } from '../system/checkup.ts';
import { COMMAND_LINE, besideTheServer, EXIT, UsageError, type Call, type Command } from './command.ts';

/** Next step for an open point, by reason if it has several. */
const NEXT_STEPS: Readonly<Record<CheckupReason | CheckupPointName, string>> = {
  strict_passwords: 'settings set password_policy strict',
  server_crypto: 'settings set server_crypto off',
  second_factor: 'settings set second_factor all',
  recovery_kit: 'settings set recovery_kit required',
  https: 'put a proxy with TLS in front',
  plain_http: 'put a proxy with TLS in front; set PUBLIC_URL=https://… and TRUST_PROXY',
  proxy_unnamed: 'set TRUST_PROXY to the address of the proxy instead of none',
  proxy_unseen: 'send requests through the proxy',
  mail: 'set SMTP_URL',
  no_mail_server: 'set SMTP_URL',
  mail_untried: 'send a test mail from the page Site checkup',
  backup_schedule: 'settings set backup_enable true',
  backups_off: 'settings set backup_schedule 3, then settings set backup_enable true',
  backups_overdue: 'see backup list: none has succeeded for a day',
  backup_password: 'set one on the page Backup',
  backup_copy: 'set BACKUP_COPY',
  no_second_target: 'set BACKUP_COPY',
  copies_overdue: 'see backup status: none has been copied for a day',
  person_quota: 'settings set person_quota_mib 5120',
  log_kept: 'settings set log_months 12',
};

export const checkup: Command = {
  summary: 'Prints what is set safely on this site, and what is open.',
  details: [
    'One point per line: name, tab, good, open or kept, and what to do about an open one.',
    'Exit code 1 when a point is open. A point is kept when an admin decided to leave it so.',
  ],
  args: [],
  options: {
    keep: { value: 'point', help: 'Keeps this point as it is from now on.', isRepeatable: true },
    reopen: { value: 'point', help: 'No longer keeps this point as it is.', isRepeatable: true },
  },
  async run(call) {
    const changes = [...changesOf(call, 'keep', true), ...changesOf(call, 'reopen', false)];
    return besideTheServer(call, async (deps) => {
      for (const change of changes) await keepPoint(deps, { actor: null, origin: COMMAND_LINE }, change);
      return print(deps, call);
    });
  },
};

/** @throws UsageError for an unknown point */
function changesOf(call: Call, option: string, kept: boolean) {
  return call.values(option).map((name) => {
    const point = CHECKUP_POINTS.find((each) => each === name);
    if (point === undefined) {
      throw new UsageError(`There is no point of that name. There are: ${CHECKUP_POINTS.join(', ')}.`);
    }
    return { point, kept };
  });
}

async function print(deps: Deps, { terminal }: Call) {
  const { open, points } = await siteCheckup(deps, null);
  for (const { point, state, reason } of points) {
    terminal.say([point, state, ...(state === 'open' ? [NEXT_STEPS[reason ?? point]] : [])].join('\t'));
  }
  return open === 0 ? EXIT.done : EXIT.failed;
}
