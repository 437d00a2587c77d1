import * as notices from '@passwordbroker/core/contract/account/notices';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Context, Deps } from '../http/context.ts';
import { on, type Route } from '../http/route.ts';
import { countUnread, listSettings, setRead, storeChoices } from './notice-repository.ts';
import { choicesOf } from './notify.ts';
import { noticesPage } from './read-notices.ts';

export const routes: readonly Route[] = [
  on(notices.listAll, ({ deps, actor, query }) => noticesPage(deps.db, actor.userId, query)),
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

async function settingsOf({ db, noticesFrom }: Deps, userId: string): Promise<notices.NoticeSettings> {
  const [row] = await listSettings(db.read, [userId]);
  return { kinds: choicesOf(row?.choices), has_mail: noticesFrom !== null };
}

type Changing = Context<typeof notices.changeSettings, BodyOf<typeof notices.changeSettings>>;

async function changeSettings({ deps, actor, body }: Changing): Promise<notices.NoticeSettings> {
  await deps.db.transact(async (tx) => {
    const [row] = await listSettings(tx, [actor.userId]);
    const chosen = Object.entries(body.kinds ?? {}).filter(([, delivery]) => delivery !== undefined);
    await storeChoices(tx, actor.userId, JSON.stringify({ ...choicesOf(row?.choices), ...Object.fromEntries(chosen) }));
  });
  return settingsOf(deps, actor.userId);
}
