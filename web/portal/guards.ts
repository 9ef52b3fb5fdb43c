import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { findSession } from './api/session.js'
import { paths } from './paths.js'

/** Who may open a page. */

export type RouterContext = { queryClient: QueryClient }

type Loading = { context: RouterContext; location: { publicHref: string } }

/** Redirects visitors to the sign-in page, which leads back to the page. */
export async function requireSession({ context, location }: Loading): Promise<void> {
  const session = await findSession(context.queryClient)
  const to = location.publicHref === paths.home() ? undefined : location.publicHref
  if (session?.enrolment_required) throw redirect({ href: paths.enrol({ to }), replace: true })
  if (session) return
  throw redirect({ href: paths.signIn({ to }), replace: true })
}

/** Only for somebody who must set up a second factor. */
export async function requireEnrolment({ context }: Loading): Promise<void> {
  const session = await findSession(context.queryClient)
  if (session?.enrolment_required) return
  throw redirect({ href: session ? paths.home() : paths.signIn(), replace: true })
}
