/** Yields to the event loop, so that no task takes over 50 ms. */
export const nextTurn = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
