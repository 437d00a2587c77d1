/** The states of the list of users (docs/spec/product.md §4): not selected → required loading → loading → loaded; failed and updating are ours. */
import { loadingOf, type Loading } from '../lib/loading.ts';

export type UsersState = 'not selected' | Loading;

/** @param groupId null while no group is selected */
export function usersStateOf(groupId: string | null, query: Parameters<typeof loadingOf>[0]): UsersState {
  return groupId === null ? 'not selected' : loadingOf(query);
}
