import * as notices from '@passwordbroker/core/contract/account/notices';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { DIGEST_HOUR } from '@passwordbroker/core/domain/notices';
import type { Context, Deps } from '../http/context.ts';
import { on, type Route } from '../http/route.ts';
import { countUnread, listSettings, setRead, storeSettings } from './notice-repository.ts';
import { choicesOf } from './notify.ts';
import { noticesPage } from './read-notices.ts';

export const routes: readonly Route[] = [
  on(notices.listAll, ({ deps, actor, query }) => noticesPage(deps, actor.userId, query)),
  on(notices.count, ({ deps, actor }) => unreadOf(deps, actor.userId)),
  on(notices.markRead, async ({ deps, actor, body: { up_to: upTo, only: isAlone = false } }) => {
    const now = deps.clock.now();
    await deps.db.transactBeside((tx) => setRead(tx, actor.userId, { upTo, isAlone, now }));
    return unreadOf(deps, actor.userId);
  }),
  on(notices.settings, ({ deps, actor }) => settingsOf(deps, actor.userId)),
  on(notices.changeSettings, (context) => changeSettings(context)),
];

const unreadOf = async ({ db }: Deps, userId: string) => ({ unread: await countUnread(db.read, userId) });

async function settingsOf(deps: Deps, userId: string): Promise<notices.NoticeSettings> {
  const [row] = await listSettings(deps.db.read, [userId]);
  return {
    kinds: choicesOf(row?.choices),
    digest_hour: row?.digest_hour ?? DIGEST_HOUR,
    digest_zone: row?.digest_zone ?? deps.timeZone,
    has_mail: deps.noticesFrom !== null,
  };
}

type Changing = Context<typeof notices.changeSettings, BodyOf<typeof notices.changeSettings>>;

async function changeSettings({ deps, actor, body }: Changing): Promise<notices.NoticeSettings> {
  const { kinds = {}, digest_hour: hour, digest_zone: zone } = body;
  await deps.db.transact(async (tx) => {
    const [row] = await listSettings(tx, [actor.userId]);
    const chosen = Object.fromEntries(Object.entries(kinds).filter(([, delivery]) => delivery !== undefined));
    await storeSettings(tx, actor.userId, {
      choices: JSON.stringify({ ...choicesOf(row?.choices), ...chosen }),
      digest_hour: hour ?? row?.digest_hour ?? null,
      digest_zone: zone ?? row?.digest_zone ?? null,
    });
  });
  return settingsOf(deps, actor.userId);
}
