/** A part of the client that comes when it is first needed, and is here from then on. */
export interface Part<Module> {
  /** Fetches it, or answers what is here. Asked for again after it did not arrive. */
  readonly load: () => Promise<Module>;
  /** undefined until it has come. */
  readonly here: () => Module | undefined;
}

export function part<Module>(fetchIt: () => Promise<Module>): Part<Module> {
  let module: Module | undefined;
  return {
    async load() {
      module = await fetchIt();
      return module;
    },
    here: () => module,
  };
}
