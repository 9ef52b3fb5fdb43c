import type { PortalHandler } from '../portal-context.js'

export const getSignInOptions: PortalHandler<'getSignInOptions'> = async ({ demoAccount, provider }) => ({
  demo: demoAccount !== undefined,
  ...(provider && { provider }),
})
