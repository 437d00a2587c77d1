/** The bundler turns such an import into a data URL. */
declare module '*.wasm?inline' {
  const address: string;
  export default address;
}
