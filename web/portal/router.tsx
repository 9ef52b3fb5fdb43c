import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { Announcer } from '../ui/announce.js'
import { type RouterContext, requireEnrolment, requireSession } from './guards.js'
import { Layout } from './layout/layout.js'
import { NotFound } from './layout/not-found.js'
import { PageError } from './layout/page-error.js'
import { readSearchText, searchText } from './paths.js'

/** Routes. Every page is a chunk that is loaded on its first visit. */

const root = createRootRouteWithContext<RouterContext>()({
  component: Root,
  notFoundComponent: RootNotFound,
})

function RootNotFound() {
  return (
    <main>
      <NotFound />
    </main>
  )
}

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
  beforeLoad: requireSession,
  component: Layout,
  notFoundComponent: NotFound,
})

type PageComponent = ReturnType<typeof lazyRouteComponent> | (() => React.ReactNode)

const page = <const Path extends string>(path: Path, component: PageComponent) =>
  createRoute({ getParentRoute: () => signedIn, path, component })
const publicPage = <const Path extends string>(path: Path, component: PageComponent) =>
  createRoute({ getParentRoute: () => root, path, component })

const orderForm = () => import('./pages/orders/order-form-page.js')

const pages = [
  page(
    '/',
    lazyRouteComponent(() => import('./pages/overview/overview-page.js'), 'OverviewPage'),
  ),
  page(
    '/exceptions',
    lazyRouteComponent(() => import('./pages/exceptions/exceptions-page.js'), 'ExceptionsPage'),
  ),
  page(
    '/shipments',
    lazyRouteComponent(() => import('./pages/shipments/shipments-page.js'), 'ShipmentsPage'),
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
    '/inbound',
    lazyRouteComponent(() => import('./pages/inbound/inbound-page.js'), 'InboundPage'),
  ),
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
    '/audit',
    lazyRouteComponent(() => import('./pages/audit/audit-page.js'), 'AuditPage'),
  ),
  page(
    '/notifications',
    lazyRouteComponent(() => import('./pages/notifications/notifications-page.js'), 'NotificationsPage'),
  ),
  page(
    '/settings',
    lazyRouteComponent(() => import('./pages/settings/settings-page.js'), 'SettingsPage'),
  ),
  page('/$', NotFound),
] as const

const enrolPage = lazyRouteComponent(() => import('./pages/security/enrol-page.js'), 'EnrolPage')
const signInPage = lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.js'), 'SignInPage')
const forgotPage = lazyRouteComponent(() => import('./pages/sign-in/forgot-page.js'), 'ForgotPage')
const welcomePage = lazyRouteComponent(() => import('./pages/sign-in/welcome-page.js'), 'WelcomePage')

const enrol = createRoute({
  getParentRoute: () => root,
  path: '/enrol',
  beforeLoad: requireEnrolment,
  component: enrolPage,
})

const publicPages = [
  publicPage('/sign-in', signInPage),
  publicPage('/forgot', forgotPage),
  publicPage('/welcome', welcomePage),
  publicPage('/welcome/$token', welcomePage),
  publicPage(
    '/supply',
    lazyRouteComponent(() => import('./pages/supply/supply-page.js'), 'SupplyPage'),
  ),
  publicPage(
    '/share',
    lazyRouteComponent(() => import('./pages/share/share-page.js'), 'SharePage'),
  ),
  publicPage(
    '/track',
    lazyRouteComponent(() => import('./pages/share/track-page.js'), 'TrackPage'),
  ),
  publicPage(
    '/viewing',
    lazyRouteComponent(() => import('./pages/sign-in/viewing-page.js'), 'ViewingPage'),
  ),
] as const

export function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([signedIn.addChildren(pages), enrol, ...publicPages]),
    context: { queryClient },
    defaultErrorComponent: PageError,
    // While a page loads, the previous one stays; the loading line shows the progress.
    defaultPendingMs: 2000,
    scrollRestoration: true,
    // Plain text instead of JSON, so that addresses are readable.
    parseSearch: readSearchText,
    stringifySearch: searchText,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
