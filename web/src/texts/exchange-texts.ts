const CATALOGUES: Readonly<Record<string, () => Promise<{ readonly translateExchange: () => void }>>> = {
  de: () => import('./de/exchange.ts'),
  fr: () => import('./fr/exchange.ts'),
  es: () => import('./es/exchange.ts'),
};
let isLoaded = false;

/** Loads the texts of imports and exports in the language of the page; call it before their code. English if that fails. */
export const loadExchangeTexts = async (): Promise<void> => {
  const load = CATALOGUES[document.documentElement.lang];
  if (isLoaded || load === undefined) return;
  await load().then(
    ({ translateExchange }) => {
      if (!isLoaded) translateExchange();
      isLoaded = true;
    },
    () => undefined,
  );
};
