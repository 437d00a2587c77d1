/** `settings list` and `settings set`: every setting and limit of the site, as the contract has them. */
import * as z from 'zod/mini';
import { SITE_VALUES } from '@passwordbroker/core/contract/site';
import type { SettingName } from '@passwordbroker/core/contract/site';
import { examine, refuseFindings } from '../http/validation.ts';
import { readSite } from '../platform/site-settings-repository.ts';
import { changeSite } from '../system/site-settings.ts';
import { COMMAND_LINE, besideTheServer } from './beside.ts';
import { EXIT, UsageError } from './command.ts';
import type { Command } from './command.ts';

const NAMES = Object.keys(SITE_VALUES) as SettingName[];

export const settingsList: Command = {
  summary: 'Prints every setting and limit of the site with its present value.',
  details: ['One per line: name, tab, value.'],
  args: [],
  options: {},
  run: (call) =>
    besideTheServer(call, async (deps) => {
      const present = await readSite(deps);
      for (const name of NAMES) call.terminal.say(`${name}\t${String(present[name])}`);
      return EXIT.done;
    }),
};

export const settingsSet: Command = {
  summary: 'Changes one setting or limit of the site.',
  details: ['It holds at once, also in a running server. settings list prints the names.'],
  args: ['name', 'value'],
  options: {},
  async run(call) {
    const [given = '', value = ''] = call.args;
    const name = NAMES.find((each) => each === given);
    if (name === undefined) throw new UsageError(`There is no setting of that name. There are: ${NAMES.join(', ')}.`);
    const read = examine(z.object({ [name]: SITE_VALUES[name] }), { [name]: value });
    refuseFindings(read);
    return besideTheServer(call, async (deps) => {
      const changes = read.value as Parameters<typeof changeSite>[2];
      await changeSite(deps, { actor: null, origin: COMMAND_LINE }, changes);
      const stored = String((await readSite(deps))[name]);
      call.terminal.say(`${name} is ${stored === '' ? 'empty' : stored} now.`);
      return EXIT.done;
    });
  },
};
