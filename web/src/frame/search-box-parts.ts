/** What the search box fetches when it is first needed. Without its suggestions the box still searches: that failure is only logged. */
import { type ComponentType, lazy } from 'react';
import { activityLog } from '../activity-log/activity-log.ts';
import { loadChunk } from '../lib/chunk.ts';
import { reasonOf } from '../lib/reason.ts';
import type { SuggestionListProps } from '../search/suggestion-list.tsx';
import { SUGGESTION_TEXTS as TEXTS } from '../texts/search.ts';

export const SuggestionList = lazy(async (): Promise<{ default: ComponentType<SuggestionListProps> }> => {
  try {
    const part = await loadChunk('SuggestionList', () => import('../search/suggestion-list.tsx'));
    return { default: part.SuggestionList };
  } catch (failure) {
    activityLog.add(TEXTS.failed(reasonOf(failure)), { isFailure: true });
    return { default: () => null };
  }
});

export const ActDialog = lazy(async () => ({
  default: (await loadChunk('ActDialog', () => import('../search/act-dialog.tsx'))).ActDialog,
}));
