/** Signed lists of a group from the honest server, and forged answers with them. */
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import { roster } from '@passwordbroker/core/contract/groups/entry-groups';
import type { Mate } from './team.node.ts';

/** @param from first sequence number; without it only the newest list */
export const listsOf = (mate: Mate, groupId: string, from?: number): Promise<RosterAnswer> =>
  mate.http.call(roster, { params: { g: groupId }, query: from === undefined ? {} : { from } });

/** Replaces the server's answers about the lists of this group. */
export function answerLists(mate: Mate, groupId: string, answer: (honest: RosterAnswer) => RosterAnswer): void {
  const isAboutThem = (asked: string) => asked.includes(`${groupId}/roster`);
  mate.forge = (asked, honest) => (isAboutThem(asked) ? answer(honest as RosterAnswer) : honest);
}

/** The answer from the time when this list was the newest. */
export const asOf = (all: RosterAnswer, seq: number): RosterAnswer => ({
  ...all,
  rosters: all.rosters.filter((one) => one.seq <= seq).slice(-1),
});
