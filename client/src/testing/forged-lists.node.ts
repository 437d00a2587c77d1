/** The signed lists of a group as the honest server answers them, and as it is made to answer. */
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import { roster } from '@passwordbroker/core/contract/groups/entry-groups';
import type { Mate } from './team.node.ts';

/** @param from where they begin; the newest alone without it */
export const listsOf = (mate: Mate, groupId: string, from?: number): Promise<RosterAnswer> =>
  mate.http.call(roster, { params: { g: groupId }, query: from === undefined ? {} : { from } });

/** The server answers every question for the lists of this group so. */
export function answerLists(mate: Mate, groupId: string, answer: (honest: RosterAnswer) => RosterAnswer): void {
  const isAboutThem = (asked: string) => asked.includes(`${groupId}/roster`);
  mate.forge = (asked, honest) => (isAboutThem(asked) ? answer(honest as RosterAnswer) : honest);
}

/** When this one was the newest. */
export const asOf = (all: RosterAnswer, seq: number): RosterAnswer => ({
  ...all,
  rosters: all.rosters.filter((one) => one.seq <= seq).slice(-1),
});
