/** The package has no types; this is what the tests use. */
declare module 'oidc-provider' {
  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: unknown, response: unknown) => void;
  }
}
