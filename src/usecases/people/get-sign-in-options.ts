import type { PortalHandler } from '../portal-context.js'

export const getSignInOptions: PortalHandler<'getSignInOptions'> = async (context) => ({
  demo: context.demoAccount !== undefined,
  forwarder_name: context.forwarderName,
  sends_mail: context.sendsMail,
  ...(context.provider && { provider: context.provider }),
})
