import { createContext } from 'react';

/** Makes the fields below read-only: texts stay selectable, choices are disabled. */
export const ReadOnlyContext = createContext(false);
