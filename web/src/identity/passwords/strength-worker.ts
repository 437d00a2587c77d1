import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';

/** Characters that are examined: the time grows with the length, and longer passwords are strong. */
const LONGEST = 100;

export interface StrengthQuestion {
  readonly passwords: readonly string[];
  /** Name and e-mail; a password that contains them is weaker. */
  readonly about: readonly string[];
}

const estimator = new ZxcvbnFactory({
  graphs: common.adjacencyGraphs,
  dictionary: { ...common.dictionary, ...english.dictionary },
});

addEventListener('message', ({ data }: MessageEvent<StrengthQuestion>) => {
  const about = data.about.flatMap((text) => text.split(/[\s@.]+/)).filter((word) => word.length > 2);
  postMessage(data.passwords.map((password) => estimator.check(password.slice(0, LONGEST), about).score));
});
