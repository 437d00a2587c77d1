/** Batches requests that are made at about the same time. */

export interface Gathered<Ask, Answer> {
  /**
   * Sends when `enough` or all prepared asks are ready and the previous batch has returned.
   * @throws what `prepare` throws; the failure of the batch
   */
  readonly ask: (prepare: () => Ask | Promise<Ask>) => Promise<Answer>;
}

interface Options<Ask, Answer> {
  /** Answers in the order of the asks: a function that returns the value or throws. */
  readonly send: (asks: readonly Ask[]) => Promise<readonly (() => Answer | Promise<Answer>)[]>;
  /** Sent without waiting for more. */
  readonly enough: number;
  readonly most: number;
  /** Maximum sum of `weigh` per request; a heavier ask goes alone. */
  readonly heaviest?: number;
  readonly weigh?: (ask: Ask) => number;
}

interface Waiting<Ask, Answer> {
  readonly ask: Ask;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (failure: unknown) => void;
}

export function gathered<Ask, Answer>({
  send,
  enough,
  most,
  heaviest = Infinity,
  weigh = () => 0,
}: Options<Ask, Answer>): Gathered<Ask, Answer> {
  let waiting: Waiting<Ask, Answer>[] = [];
  let preparing = 0;
  let underWay = 0;

  /** Runs after the turn, so that asks of one turn go together. */
  const lookSoon = () => void setTimeout(look);

  function look() {
    while (waiting.length >= enough || (waiting.length > 0 && preparing === 0 && underWay === 0)) {
      const count = fitting();
      const portion = waiting.slice(0, count);
      waiting = waiting.slice(count);
      void sendOff(portion);
    }
  }

  function fitting(): number {
    let weight = 0;
    const tooHeavy = waiting.findIndex(({ ask }, at) => (weight += weigh(ask)) > heaviest && at > 0);
    return Math.min(tooHeavy < 0 ? waiting.length : tooHeavy, most);
  }

  async function sendOff(portion: readonly Waiting<Ask, Answer>[]) {
    underWay += 1;
    try {
      const answers = await send(portion.map(({ ask }) => ask));
      for (const [at, { resolve, reject }] of portion.entries()) {
        const answer = answers[at];
        if (answer === undefined) reject(new Error('The answer is too short'));
        else resolve(Promise.resolve().then(answer));
      }
    } catch (failure) {
      for (const { reject } of portion) reject(failure);
    } finally {
      underWay -= 1;
      lookSoon();
    }
  }

  return {
    async ask(prepare) {
      preparing += 1;
      let ask: Ask;
      try {
        ask = await prepare();
      } finally {
        preparing -= 1;
        lookSoon();
      }
      return new Promise((resolve, reject) => waiting.push({ ask, resolve, reject }));
    },
  };
}
