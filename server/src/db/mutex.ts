/** First come, first served: one holder at a time. */
export class Mutex {
  #tail: Promise<void> = Promise.resolve();
  #holders = 0;

  /** Whether somebody holds it or waits for it. */
  get isBusy(): boolean {
    return this.#holders > 0;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#tail;
    let release = () => {};
    this.#tail = new Promise((resolve) => {
      release = resolve;
    });
    this.#holders += 1;
    try {
      await before;
      return await work();
    } finally {
      this.#holders -= 1;
      release();
    }
  }
}
