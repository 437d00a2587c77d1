/** Lets the page draw and answer to the person between two pieces of work, so that no task takes over 50 ms. */
export const nextTurn = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
