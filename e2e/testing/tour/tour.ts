/** A walk over every screen of the client, one stop each: the first person of a server signs up, fills a vault, shares it, and looks into every corner. */
import { tourOfAdmin, tourOfSignUp, tourOfTools } from './tour-site.ts';
import { tourOfEntries, tourOfFields, tourOfGroup } from './tour-vault.ts';

/** In this order: each begins where the last one has ended. */
export const TOURS = [
  ['signing up', tourOfSignUp],
  ['fields', tourOfFields],
  ['entries', tourOfEntries],
  ['a group', tourOfGroup],
  ['tools', tourOfTools],
  ['administration, sign-in and sign-out', tourOfAdmin],
] as const;
