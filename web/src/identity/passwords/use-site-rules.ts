import { setup } from '@passwordbroker/core/contract/site/system';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import { useCallback, useEffect, useState } from 'react';
import { http } from '../../page/page.ts';

export type SiteRules = AnswerOf<typeof setup>;

interface KnownSiteRules {
  /** Null until the server has answered. */
  readonly rules: SiteRules | null;
  /** Reloads the rules. Await it before sending a new password. @throws NetworkError, AppError */
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
    // For display only: `ask` runs again before sending.
    http.call(setup).then(setRules, () => undefined);
  }, []);
  return { rules, ask };
}
