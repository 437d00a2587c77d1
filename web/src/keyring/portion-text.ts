/** One sealed portion of an import as the text that goes into the batch. */
import { sealPortion, type FieldWork } from '@passwordbroker/core/domain/import/import-fields';

export interface PortionText {
  /** The fields as JSON, without the brackets around them. */
  readonly fields: string;
  /** Sealed file bodies by part name. */
  readonly bodies: readonly { readonly name: string; readonly body: Blob }[];
}

export type SealToText = (work: readonly FieldWork[]) => Promise<PortionText>;

export const sealToText: SealToText = async (work) => {
  const { fields, bodies } = await sealPortion(work);
  return {
    fields: JSON.stringify(fields).slice(1, -1),
    bodies: bodies.map(({ part, bytes }) => ({ name: part, body: new Blob([bytes]) })),
  };
};
