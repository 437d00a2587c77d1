/**
 * Constants of the PRF extension. A file of their own: the page that calls WebAuthn imports them, and must not load the
 * cryptography of `passkey-slot.ts`, which belongs to the worker.
 */

/** The PRF input for every authenticator, SHA-256(PAE(["pb1:prf"])). A constant, so a server cannot choose it. */
export const PRF_INPUT_HEX = '28b1838957bcab028e4892b73ad8c842f879d1b5fc6de45e8a7c9b098cef5df7';

/** Length of a PRF output. */
export const PRF_BYTES = 32;
