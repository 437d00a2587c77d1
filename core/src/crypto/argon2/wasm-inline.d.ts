/** The bundler turns it into a data URL. */
declare module '*.wasm?inline' {
  const address: string;
  export default address;
}
