/** Apart from its code, because the sign-in page checks whether it exists. */
export const COPIES_DATABASE = 'passwordbroker-offline';
