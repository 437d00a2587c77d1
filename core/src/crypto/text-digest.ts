import { sha256 } from '#primitives';
import { encodeHex, utf8 } from './bytes.ts';

/** SHA-256 of the text's UTF-8 as 64 lower-case hex characters, to detect damage. */
export const digestText = async (text: string): Promise<string> => encodeHex(await sha256(utf8(text)));
