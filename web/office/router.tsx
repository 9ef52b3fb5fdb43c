import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { type RouterContext, requireEnrolment, requireSession } from '../portal/guards.js'
import { NotFound } from '../portal/layout/not-found.js'
import { PageError } from '../portal/layout/page-error.js'
import { readSearchText, searchText } from '../portal/paths.js'
import { Announcer } from '../ui/announce.js'
import { Layout } from './layout/layout.js'

/** Routes of the office. The pages for signing in are those of the portal. */

const root = createRootRouteWithContext<RouterContext>()({ component: Root })

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

const pages = [
  page(
    '/office',
    lazyRouteComponent(() => import('./pages/my-work/work-page.js'), 'WorkPage'),
  ),
  page(
    '/office/shipments',
    lazyRouteComponent(() => import('./pages/shipments/shipments-page.js'), 'ShipmentsPage'),
  ),
  page(
    '/office/shipments/grid',
    lazyRouteComponent(() => import('./pages/grid/grid-page.js'), 'GridPage'),
  ),
  page(
    '/office/shipments/$account/$svc_shipment_id',
    lazyRouteComponent(() => import('./pages/shipment/shipment-page.js'), 'ShipmentPage'),
  ),
  page(
    '/office/shipments/$account/$svc_shipment_id/lines',
    lazyRouteComponent(() => import('./pages/lines/lines-page.js'), 'LinesPage'),
  ),
  page(
    '/office/bookings',
    lazyRouteComponent(() => import('./pages/bookings/bookings-page.js'), 'BookingsPage'),
  ),
  page(
    '/office/bookings/new',
    lazyRouteComponent(() => import('./pages/bookings/new-shipment-page.js'), 'NewShipmentPage'),
  ),
  page(
    '/office/orders/$account/$po_number',
    lazyRouteComponent(() => import('./pages/bookings/order-page.js'), 'OrderPage'),
  ),
  page(
    '/office/billing',
    lazyRouteComponent(() => import('./pages/billing/billing-page.js'), 'BillingPage'),
  ),
  page(
    '/office/billing/bank-list',
    lazyRouteComponent(() => import('./pages/billing/bank-list-page.js'), 'BankListPage'),
  ),
  page(
    '/office/billing/ageing',
    lazyRouteComponent(() => import('./pages/billing/ageing-page.js'), 'AgeingPage'),
  ),
  page(
    '/office/billing/settings',
    lazyRouteComponent(() => import('./pages/billing/settings-page.js'), 'BillingSettingsPage'),
  ),
  page(
    '/office/billing/invoices/$account/$reference',
    lazyRouteComponent(() => import('./pages/billing/invoice-page.js'), 'InvoicePage'),
  ),
  page(
    '/office/documents',
    lazyRouteComponent(() => import('./pages/documents/documents-page.js'), 'DocumentsPage'),
  ),
  page(
    '/office/feeds',
    lazyRouteComponent(() => import('./pages/feeds/feeds-page.js'), 'FeedsPage'),
  ),
  page(
    '/office/webhooks',
    lazyRouteComponent(() => import('./pages/webhooks/webhooks-page.js'), 'WebhooksPage'),
  ),
  page(
    '/office/customers',
    lazyRouteComponent(() => import('./pages/customers/customers-page.js'), 'CustomersPage'),
  ),
  page(
    '/office/customers/$account',
    lazyRouteComponent(() => import('./pages/customers/customer-page.js'), 'CustomerPage'),
  ),
  page(
    '/office/settings',
    lazyRouteComponent(() => import('./pages/settings/settings-page.js'), 'SettingsPage'),
  ),
  page(
    '/office/profile',
    lazyRouteComponent(() => import('./pages/profile/profile-page.js'), 'ProfilePage'),
  ),
  page('/$', NotFound),
] as const

const publicPages = [
  createRoute({
    getParentRoute: () => root,
    path: '/office/enrol',
    beforeLoad: requireEnrolment,
    component: lazyRouteComponent(() => import('../portal/pages/security/enrol-page.js'), 'EnrolPage'),
  }),
  publicPage(
    '/office/sign-in',
    lazyRouteComponent(() => import('../portal/pages/sign-in/sign-in-page.js'), 'SignInPage'),
  ),
  publicPage(
    '/office/forgot',
    lazyRouteComponent(() => import('../portal/pages/sign-in/forgot-page.js'), 'ForgotPage'),
  ),
  publicPage(
    '/office/welcome',
    lazyRouteComponent(() => import('../portal/pages/sign-in/welcome-page.js'), 'WelcomePage'),
  ),
] as const

export function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([signedIn.addChildren(pages), ...publicPages]),
    context: { queryClient },
    defaultErrorComponent: PageError,
    // While a page loads, the previous one stays; the loading line shows the progress.
    defaultPendingMs: 2000,
    scrollRestoration: true,
    parseSearch: readSearchText,
    stringifySearch: searchText,
  })
}
