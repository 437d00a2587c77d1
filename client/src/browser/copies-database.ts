/** Name of the IndexedDB database of local copies, apart from its code: the sign-in page asks whether there is one. */
export const COPIES_DATABASE = 'passwordbroker-offline';
