/** What the bundler makes of such an import: a data URL. */
declare module '*.wasm?inline' {
  const address: string;
  export default address;
}
