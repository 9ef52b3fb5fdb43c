import { accentsOf } from '../../domain/branding/accent.js'
import { findBranding } from '../../store/branding.js'
import type { PortalHandler } from '../portal-context.js'

/** What a visitor sees before signing in: how to, and whose portal this is. */
export const getSignInOptions: PortalHandler<'getSignInOptions'> = async (context) => {
  const { color, dark_color, logo } = await findBranding(context.db)
  return {
    demo: context.demoAccount !== undefined,
    forwarder_name: context.forwarderName,
    offers_tracking: context.offersTracking,
    sends_mail: context.sendsMail,
    ...(context.provider && { provider: context.provider }),
    ...(color !== undefined && { colors: accentsOf(color, dark_color) }),
    ...(logo !== undefined && { logo }),
    ...(context.simulatesTime && { simulates_time: true }),
  }
}
