/** A lock with a queue, in call order. */
export class Mutex {
  #tail: Promise<void> = Promise.resolve();
  #holders = 0;

  get isBusy(): boolean {
    return this.#holders > 0;
  }

  /**
   * @param patience longest wait; absent for no limit
   * @throws `patience.end()` after that wait; `work` does not run
   */
  async run<T>(work: () => Promise<T>, patience?: Patience): Promise<T> {
    const before = this.#tail;
    let release = () => {};
    this.#tail = new Promise((resolve) => {
      release = resolve;
    });
    this.#holders += 1;
    const leave = () => {
      this.#holders -= 1;
      release();
    };
    if (patience !== undefined && this.#holders > 1 && !(await comesWithin(before, patience.ms))) {
      // Later callers keep queue order.
      void before.then(leave);
      throw patience.end();
    }
    try {
      await before;
      return await work();
    } finally {
      leave();
    }
  }
}

export interface Patience {
  /** Milliseconds. */
  readonly ms: number;
  end(): Error;
}

async function comesWithin(turn: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  return Promise.race([turn.then(() => true), late]).finally(() => clearTimeout(timer));
}
