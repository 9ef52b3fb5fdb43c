/** What the tests use of it; the package comes without types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> }
  type Context = {
    oidc: {
      provider: { Grant: new (given: { clientId: string; accountId: string }) => Grant }
      client: { clientId: string }
      session: { accountId: string }
    }
  }

  export class Provider {
    constructor(
      issuer: string,
      configuration: {
        clients: { client_id: string; client_secret: string; redirect_uris: string[] }[]
        jwks: { keys: object[] }
        cookies: { keys: string[] }
        claims: Record<string, string[]>
        conformIdTokenClaims: boolean
        ttl: Record<string, number>
        features: { devInteractions: { enabled: boolean } }
        interactions: { url(context: Context, interaction: { uid: string }): string }
        findAccount(context: Context, id: string): { accountId: string; claims(): object }
        loadExistingGrant(context: Context): Promise<Grant>
      },
    )
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}
