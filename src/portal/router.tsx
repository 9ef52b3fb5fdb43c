import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { findSession } from './api/session.js'
import { Announcer } from './parts/announce.js'
import { paths, readSearchText, searchText } from './paths.js'
import { NotFound } from './shell/not-found.js'
import { PageError } from './shell/page-error.js'
import { Shell } from './shell/shell.js'

/** Which page an address shows. Every page is loaded when it is first gone to. */

export type RouterContext = { queryClient: QueryClient }

const root = createRootRouteWithContext<RouterContext>()({
  component: Root,
  notFoundComponent: () => (
    <main>
      <NotFound />
    </main>
  ),
})

function Root() {
  return (
    <>
      <Outlet />
      <Announcer />
    </>
  )
}

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  // Who is not signed in goes to sign in, and comes back to where they wanted to go.
  async beforeLoad({ context, location }) {
    if (await findSession(context.queryClient)) return
    const to = location.publicHref === '/' ? undefined : location.publicHref
    throw redirect({ href: paths.signIn({ to }), replace: true })
  },
  component: Shell,
  notFoundComponent: NotFound,
})

// Most pages have components of Mantine, which are loaded with the first of them.
const mantinePages = lazyRouteComponent(() => import('./mantine.js'), 'MantinePages')
const rich = createRoute({ getParentRoute: () => signedIn, id: 'rich', component: mantinePages })
const open = createRoute({ getParentRoute: () => root, id: 'open', component: mantinePages })

type PageComponent = ReturnType<typeof lazyRouteComponent> | (() => React.ReactNode)

const light = <const Path extends string>(path: Path, component: PageComponent) =>
  createRoute({ getParentRoute: () => signedIn, path, component })
const page = <const Path extends string>(path: Path, component: PageComponent) =>
  createRoute({ getParentRoute: () => rich, path, component })
const openPage = <const Path extends string>(path: Path, component: PageComponent) =>
  createRoute({ getParentRoute: () => open, path, component })

const orderForm = () => import('./pages/orders/order-form-page.js')

const lightPages = [
  light(
    '/shipments',
    lazyRouteComponent(() => import('./pages/shipments/shipments-page.js'), 'ShipmentsPage'),
  ),
] as const

const pages = [
  page(
    '/',
    lazyRouteComponent(() => import('./pages/overview/overview-page.js'), 'OverviewPage'),
  ),
  page(
    '/shipments/$id',
    lazyRouteComponent(() => import('./pages/shipment/shipment-page.js'), 'ShipmentPage'),
  ),
  page(
    '/orders',
    lazyRouteComponent(() => import('./pages/orders/orders-page.js'), 'OrdersPage'),
  ),
  page('/orders/new', lazyRouteComponent(orderForm, 'NewOrderPage')),
  page(
    '/orders/upload',
    lazyRouteComponent(() => import('./pages/orders/order-upload-page.js'), 'OrderUploadPage'),
  ),
  page(
    '/orders/$reference',
    lazyRouteComponent(() => import('./pages/orders/order-page.js'), 'OrderPage'),
  ),
  page('/orders/$reference/edit', lazyRouteComponent(orderForm, 'EditOrderPage')),
  page(
    '/invoices',
    lazyRouteComponent(() => import('./pages/invoices/invoices-page.js'), 'InvoicesPage'),
  ),
  page(
    '/invoices/$reference',
    lazyRouteComponent(() => import('./pages/invoices/invoice-page.js'), 'InvoicePage'),
  ),
  page(
    '/documents',
    lazyRouteComponent(() => import('./pages/documents/documents-page.js'), 'DocumentsPage'),
  ),
  page(
    '/locations',
    lazyRouteComponent(() => import('./pages/locations/locations-page.js'), 'LocationsPage'),
  ),
  page(
    '/locations/$id',
    lazyRouteComponent(() => import('./pages/locations/location-page.js'), 'LocationPage'),
  ),
  page(
    '/developers',
    lazyRouteComponent(() => import('./pages/developers/developers-page.js'), 'DevelopersPage'),
  ),
  page(
    '/team',
    lazyRouteComponent(() => import('./pages/team/team-page.js'), 'TeamPage'),
  ),
  page(
    '/settings',
    lazyRouteComponent(() => import('./pages/settings/settings-page.js'), 'SettingsPage'),
  ),
  page('/$', NotFound),
] as const

const openPages = [
  openPage(
    '/sign-in',
    lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.js'), 'SignInPage'),
  ),
  openPage(
    '/forgot',
    lazyRouteComponent(() => import('./pages/sign-in/forgot-page.js'), 'ForgotPage'),
  ),
  openPage(
    '/welcome/$token',
    lazyRouteComponent(() => import('./pages/sign-in/welcome-page.js'), 'WelcomePage'),
  ),
] as const

export function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([
      signedIn.addChildren([...lightPages, rich.addChildren(pages)]),
      open.addChildren(openPages),
    ]),
    context: { queryClient },
    defaultErrorComponent: PageError,
    // A page that is on its way leaves the one before it in place; the line on top tells of it.
    defaultPendingMs: 2000,
    scrollRestoration: true,
    // Plain text, so that addresses can be read, typed and sent to somebody.
    parseSearch: readSearchText,
    stringifySearch: searchText,
  })
}

/** While it is asked who is signed in, the page that they want is on its way. */
export function loadPageAtOnce(router: ReturnType<typeof makeRouter>): void {
  const routes: Record<string, { options: { component?: { preload?: () => unknown } } }> = router.routesById
  for (const { routeId } of router.matchRoutes(router.latestLocation)) routes[routeId]?.options.component?.preload?.()
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
