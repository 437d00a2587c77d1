import { createContext } from 'react';

/** Whether the fields around it are to be read only: texts can be reached and copied, choices are disabled. */
export const ReadOnlyContext = createContext(false);
