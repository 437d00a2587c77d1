/** The code of the pages behind the sign-in, each of which comes when it is asked for. */
import { part } from '../lib/part.ts';

export const PROMPT_PAGE = part(() => import('../entry-groups/prompt-page.tsx'));
export const GROUP_PAGE = part(() => import('../entry-groups/group-page.tsx'));
export const SEARCH_PAGE = part(() => import('../search/search-page.tsx'));
export const TRASH_PAGE = part(() => import('../trash/trash-page.tsx'));
export const ACCOUNT_PAGE = part(() => import('../account/account-page.tsx'));
export const LEAVERS_PAGE = part(() => import('../leavers/leavers-page.tsx'));
export const ADMIN_PAGE = part(() => import('../admin/admin-page.tsx'));

type Load = () => Promise<unknown>;

/** By the beginnings of their addresses, the one of the first page apart; in the order in which they are likely to be wanted. */
export const LIKELY_PAGES: readonly (readonly [path: string, load: Load])[] = [
  ['/entryGroup/', GROUP_PAGE.load],
  ['/entrySearch/', SEARCH_PAGE.load],
  ['/trash', TRASH_PAGE.load],
  ['/account', ACCOUNT_PAGE.load],
  ['/leavers', LEAVERS_PAGE.load],
];
/** Of few people; theirs when they come near a link to it. */
const RARE_PAGES: typeof LIKELY_PAGES = [
  ['/admin', () => Promise.all([import('../admin/admin-menu.tsx'), ADMIN_PAGE.load()])],
];

/** What does not arrive now is asked for again, and complained about, when it is needed. */
export async function fetchPage(path: string): Promise<void> {
  const [, load] = [...LIKELY_PAGES, ...RARE_PAGES].find(([begin]) => path.startsWith(begin)) ?? [];
  await (path === '/' ? PROMPT_PAGE.load : load)?.().catch(() => undefined);
}
