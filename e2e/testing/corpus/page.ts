/** One page of the corpus: a form as it is found on the web, and the fields that each value belongs to. */

/** What is asked of a page: a saved sign-in, a one-time code, or a new password for a registration or a change. */
export type Asked = 'sign-in' | 'code' | 'new';

/** CSS selectors of the fields that must hold a value afterwards; every other field must be untouched. Shadow roots are searched, too. */
export interface Fields {
  username?: string;
  password?: string;
  /** One selector for each new-password field. */
  newPassword?: readonly string[];
  /** One selector for each box. */
  code?: readonly string[];
}

interface Step {
  asked: Asked;
  /** `ask`: several forms are equally likely, so the person is asked. Empty: nothing is filled. */
  expect: Fields | 'ask';
  /** Focused by the person before the step. */
  focus?: string;
  /** Clicked after the step; the next step waits until the page is ready again. */
  click?: string;
}

export interface CorpusPage {
  name: string;
  /** The contents of `body`, with its styles and scripts. */
  html: string;
  lang?: string;
  /** The user name, where the page takes digits alone. */
  login?: string;
  /** The path and query of its address, for pages that say in it what they are. */
  path?: string;
  steps: readonly Step[];
}

/** A page on which a saved sign-in is filled in one step. */
export function signIn(name: string, expect: Fields | 'ask', html: string, more: Partial<CorpusPage> = {}): CorpusPage {
  return { name, html, steps: [{ asked: 'sign-in', expect }], ...more };
}

/** A page with any other step or with several. */
export function inSteps(
  name: string,
  steps: readonly Step[],
  html: string,
  more: Partial<CorpusPage> = {},
): CorpusPage {
  return { name, html, steps, ...more };
}
