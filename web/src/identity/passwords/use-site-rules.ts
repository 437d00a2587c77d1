/** What the server demands of passwords and of a sign-up. */
import { setup } from '@passwordbroker/core/contract/site/system';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import { useCallback, useEffect, useState } from 'react';
import { http } from '../../lib/http.ts';

export type SiteRules = AnswerOf<typeof setup>;

interface KnownSiteRules {
  /** As they were asked for last; null until the server has answered. */
  readonly rules: SiteRules | null;
  /** Asks anew. Whatever is chosen by these rules waits for it: they may have changed, or nobody may have answered before. @throws NetworkError, AppError */
  readonly ask: () => Promise<SiteRules>;
}

export function useSiteRules(): KnownSiteRules {
  const [rules, setRules] = useState<SiteRules | null>(null);
  const ask = useCallback(async () => {
    const answer = await http.call(setup);
    setRules(answer);
    return answer;
  }, []);
  useEffect(() => {
    // Only for what the form shows. A failure here is no answer: before anything is sent it is asked again, and then the person is told.
    http.call(setup).then(setRules, () => undefined);
  }, []);
  return { rules, ask };
}
