/**
 * A program asks to be let in by a browser (ADR 44): the link that a person opens, and what program and page both show.
 * The secret stays in the program; the link has its SHA-256.
 */
import { digestText, encodeHex, randomBytes } from '../../crypto/bytes.ts';

const SECRET_BYTES = 32;
const MOST_NAME = 64;

export interface AskingProgram {
  /** SHA-256 of the secret, in hex. */
  readonly challenge: string;
  /** The name of its computer, as the program says. */
  readonly computer: string;
}

export async function newProgramSecret(): Promise<{ readonly secret: string; readonly challenge: string }> {
  const secret = encodeHex(randomBytes(SECRET_BYTES));
  return { secret, challenge: await digestText(secret) };
}

export const isChallenge = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Everything is behind the #, which no server gets. */
export const programLink = (origin: string, { challenge, computer }: AskingProgram): string =>
  `${origin}/account#program=${challenge}&computer=${encodeURIComponent(computer.slice(0, MOST_NAME))}`;

/** @param hash of an address, with its #. Null: it asks nothing, or is damaged */
export function readProgramLink(hash: string): AskingProgram | null {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const challenge = parts.get('program') ?? '';
  if (!isChallenge(challenge)) return null;
  const computer = (parts.get('computer') ?? '').replaceAll(/\p{C}|\p{Zl}|\p{Zp}/gu, '').slice(0, MOST_NAME);
  return { challenge, computer };
}

/** What a person compares: '3f9a-02bc-71de'. */
export const shownChallenge = (challenge: string): string => (challenge.slice(0, 12).match(/.{4}/g) ?? []).join('-');
