type Translating = () => Promise<() => void>;

const loaded = new Set<string>();

/** Loads the texts of a late part in the language of the page; call it before its code. English if that fails. */
async function loadTexts(part: string, languages: Readonly<Record<string, Translating>>): Promise<void> {
  const load = languages[document.documentElement.lang];
  if (loaded.has(part) || load === undefined) return;
  await load().then(
    (translate) => {
      if (!loaded.has(part)) translate();
      loaded.add(part);
    },
    () => undefined,
  );
}

/** Of imports and exports. */
export const loadExchangeTexts = (): Promise<void> =>
  loadTexts('exchange', {
    de: () => import('./de/exchange.ts').then(({ translateExchange }) => translateExchange),
    fr: () => import('./fr/exchange.ts').then(({ translateExchange }) => translateExchange),
    es: () => import('./es/exchange.ts').then(({ translateExchange }) => translateExchange),
  });

/** Of site rules. */
export const loadSiteTexts = (): Promise<void> =>
  loadTexts('sites', {
    de: () => import('./de/late/sites.ts').then(({ translateSites }) => translateSites),
    fr: () => import('./fr/late/sites.ts').then(({ translateSites }) => translateSites),
    es: () => import('./es/late/sites.ts').then(({ translateSites }) => translateSites),
  });

/** Of service accounts. */
export const loadServiceTexts = (): Promise<void> =>
  loadTexts('services', {
    de: () => import('./de/late/services.ts').then(({ translateServices }) => translateServices),
    fr: () => import('./fr/late/services.ts').then(({ translateServices }) => translateServices),
    es: () => import('./es/late/services.ts').then(({ translateServices }) => translateServices),
  });

/** Of a program that asks to sign in. */
export const loadProgramTexts = (): Promise<void> =>
  loadTexts('program', {
    de: () => import('./de/late/program.ts').then(({ translateProgram }) => translateProgram),
    fr: () => import('./fr/late/program.ts').then(({ translateProgram }) => translateProgram),
    es: () => import('./es/late/program.ts').then(({ translateProgram }) => translateProgram),
  });

/** Of entries in an import that look like existing ones. */
export const loadDuplicateTexts = (): Promise<void> =>
  loadTexts('duplicates', {
    de: () => import('./de/late/duplicates.ts').then(({ translateDuplicates }) => translateDuplicates),
    fr: () => import('./fr/late/duplicates.ts').then(({ translateDuplicates }) => translateDuplicates),
    es: () => import('./es/late/duplicates.ts').then(({ translateDuplicates }) => translateDuplicates),
  });
