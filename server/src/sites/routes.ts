import * as sites from '@passwordbroker/core/contract/entries/sites';
import { writtenJson } from '../http/answer/answer.ts';
import { on, type Route } from '../http/route.ts';
import { changeSite, listSites, listSitesOf } from './sites.ts';

export const routes: readonly Route[] = [
  on(sites.listAll, async (context) => writtenJson(JSON.stringify(await listSites(context)))),
  on(sites.ofGroup, async (context) =>
    writtenJson(JSON.stringify(await listSitesOf(context, context.group.entry_group_id))),
  ),
  on(sites.change, changeSite),
];
