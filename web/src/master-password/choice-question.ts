import type { StrengthQuestion } from '../identity/passwords/strength-worker.ts';
import { session } from '../page/page.ts';

/** Includes the person's name and e-mail, which make a password easier to guess. */
export function choiceQuestion({ next }: { readonly next: string }): StrengthQuestion {
  const { user } = session.view();
  return { passwords: [next], about: user === null ? [] : [user.name, user.email] };
}
