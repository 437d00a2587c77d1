/** SHA-256 of a text, to detect damage. */
import { sha256 } from '#primitives';
import { encodeHex, utf8 } from './bytes.ts';

/** @returns 64 lower-case hex characters of the text's UTF-8 */
export const digestText = async (text: string): Promise<string> => encodeHex(await sha256(utf8(text)));
