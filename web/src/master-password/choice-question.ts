/** What the estimator is asked about a master password that somebody chooses. */
import type { StrengthQuestion } from '../identity/passwords/strength-worker.ts';
import { session } from '../page/page.ts';

/** The person's own name and address make it easier to guess. */
export function choiceQuestion({ next }: { readonly next: string }): StrengthQuestion {
  const { user } = session.view();
  return { passwords: [next], about: user === null ? [] : [user.name, user.email] };
}
