import { createOwnKey } from './accounts/create-key.js'
import { getKeyPolicy, updateKeyPolicy } from './accounts/key-policy.js'
import { listOwnKeys } from './accounts/list-keys.js'
import { listRequests } from './accounts/list-requests.js'
import { exportAudit, listAudit } from './accounts/read-audit.js'
import { revokeOwnKey } from './accounts/revoke-key.js'
import { rotateOwnKey } from './accounts/rotate-key.js'
import { createCalendar, listCalendars, removeCalendar } from './calendars/own-calendars.js'
import { readCalendar } from './calendars/read-calendar.js'
import { streamChanges } from './changes/stream-changes.js'
import { getConversation, markConversationRead } from './conversations/read-messages.js'
import { findChecklists } from './documents/checklist.js'
import { downloadDocuments } from './documents/download-documents.js'
import { findDocuments } from './documents/find-documents.js'
import { createSupplierLink, listSupplierLinks, revokeSupplierLink } from './documents/supplier-links.js'
import { getSupplierUpload, uploadAsSupplier } from './documents/supplier-upload.js'
import { exportExceptions } from './exceptions/export-exceptions.js'
import { findExceptions } from './exceptions/find-exceptions.js'
import { getAccountSecurity, removeFactors, updateAccountSecurity } from './factors/administer-factors.js'
import { addPasskey, removePasskey, renamePasskey, startPasskey } from './factors/own-passkeys.js'
import { confirmTotp, getFactors, removeTotp, renewRecoveryCodes, startTotp } from './factors/own-totp.js'
import {
  completeSignIn,
  getPendingSignIn,
  reauthenticateWithFactor,
  signInWithPasskey,
  startPasskeyReauthentication,
  startPasskeySignIn,
  startSecondFactorPasskey,
} from './factors/sign-in-with-factor.js'
import { exportInbound, findInbound } from './inbound/find-inbound.js'
import { findInvoices } from './invoices/find-invoices.js'
import { getIssuedInvoicePdf } from './invoices/get-invoice-pdf.js'
import { getInvoiceStanding } from './invoices/get-invoice-standing.js'
import { getInvoiceTotals } from './invoices/get-invoice-totals.js'
import { getStatement } from './invoices/get-statement.js'
import { exportLocations } from './locations/export-locations.js'
import { listPlaces } from './locations/list-places.js'
import { listNotifications, markNotificationsRead } from './notifications/notifications.js'
import {
  createSubscription,
  getNotificationSettings,
  listSubscriptions,
  removeSubscription,
  saveNotificationSettings,
  updateSubscription,
} from './notifications/subscriptions.js'
import { getOverview } from './overview/get-overview.js'
import { changePassword } from './people/change-password.js'
import { endOtherSessions, endSession } from './people/end-session.js'
import { getLink } from './people/get-link.js'
import { findCurrentSession, getSession } from './people/get-session.js'
import { getSignInOptions } from './people/get-sign-in-options.js'
import { inviteAgain, invitePerson } from './people/invite-person.js'
import { listPeople } from './people/list-people.js'
import { listSessions } from './people/list-sessions.js'
import { reauthenticate } from './people/reauthenticate.js'
import { removePerson } from './people/remove-person.js'
import { requestPasswordReset } from './people/request-password-reset.js'
import { createView, listViews, removeView, updateView } from './people/saved-views.js'
import { signIn } from './people/sign-in.js'
import { signInToDemo } from './people/sign-in-to-demo.js'
import { signOut } from './people/sign-out.js'
import { updatePerson } from './people/update-person.js'
import { updateRole } from './people/update-role.js'
import { useLink } from './people/use-link.js'
import { openViewing } from './people/viewing.js'
import type { PortalHandlers } from './portal-context.js'
import { findPurchaseOrders } from './purchase-orders/find-purchase-orders.js'
import { listSuppliers } from './purchase-orders/list-suppliers.js'
import { exportDocuments, exportInvoices, exportPurchaseOrders } from './search/export-lists.js'
import { search } from './search/search.js'
import { getSharedDocument, getSharedShipment } from './sharing/shared-shipment.js'
import { trackShipment } from './sharing/track-shipment.js'
import { exportShipments } from './shipments/export-shipments.js'
import { findShipments } from './shipments/find-shipments.js'
import { getJourney } from './shipments/get-journey.js'
import { getShipmentFacets } from './shipments/get-shipment-facets.js'

type OrderSheetOperation = 'getOrderSheetTemplate' | 'checkOrderSheet' | 'saveOrderSheet'

/**
 * What people can do in the portal: an operation and its use case. Order sheets are read by `src/ingest`, which calls
 * use cases; the api adds them to this table.
 */
export const portalHandlers: Omit<PortalHandlers, OrderSheetOperation> = {
  getSignInOptions,
  signIn,
  signInToDemo,
  getSession,
  findSession: findCurrentSession,
  signOut,
  openViewing,
  requestPasswordReset,
  getLink,
  useLink,

  listNotifications,
  markNotificationsRead,
  listSubscriptions,
  createSubscription,
  updateSubscription,
  removeSubscription,
  getNotificationSettings,
  saveNotificationSettings,

  getPendingSignIn,
  completeSignIn,
  startSecondFactorPasskey,
  startPasskeySignIn,
  signInWithPasskey,
  startPasskeyReauthentication,
  reauthenticateWithFactor,
  getFactors,
  startTotp,
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
  startPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  removeFactors,
  getAccountSecurity,
  updateAccountSecurity,

  updatePerson,
  changePassword,
  reauthenticate,
  listSessions,
  endSession,
  endOtherSessions,
  listPeople,
  invitePerson,
  inviteAgain,
  updateRole,
  removePerson,
  listViews,
  createView,
  updateView,
  removeView,

  listOwnKeys,
  createOwnKey,
  rotateOwnKey,
  revokeOwnKey,
  getKeyPolicy,
  updateKeyPolicy,
  listRequests,
  listAudit,
  exportAudit,

  getOverview,
  search,
  streamChanges,
  findShipments,
  getShipmentFacets,
  exportShipments,
  getJourney,
  findPurchaseOrders,
  findExceptions,
  findInbound,
  exportInbound,
  listSuppliers,
  findInvoices,
  getInvoiceTotals,
  getInvoiceStanding,
  getInvoicePdf: getIssuedInvoicePdf,
  getStatement,
  exportInvoices,
  exportPurchaseOrders,
  exportDocuments,
  exportExceptions,
  exportLocations,
  findDocuments,
  downloadDocuments,
  listPlaces,
  findChecklists,
  listSupplierLinks,
  createSupplierLink,
  revokeSupplierLink,
  getSupplierUpload,
  uploadAsSupplier,
  listCalendars,
  createCalendar,
  getConversation,
  markConversationRead,
  removeCalendar,
  readCalendar,
  trackShipment,
  getSharedShipment,
  getSharedDocument,
}
