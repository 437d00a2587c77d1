/** Loads code that is fetched when it is first needed. `name` is for messages. Rejects if it does not arrive. */
export type Load = <Module>(name: string, importer: () => Promise<Module>) => Promise<Module>;
