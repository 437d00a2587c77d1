let isLoaded = false;

/** Loads the texts of imports and exports in the language of the page; call it before their code. English if that fails. */
export const loadExchangeTexts = async (): Promise<void> => {
  if (isLoaded || document.documentElement.lang !== 'de') return;
  await import('./de/exchange.ts').then(
    ({ translateExchange }) => {
      if (!isLoaded) translateExchange();
      isLoaded = true;
    },
    () => undefined,
  );
};
