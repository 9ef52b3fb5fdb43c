import { createAccountHandler } from './accounts/create-account.js'
import { createKey } from './accounts/create-key.js'
import { getOperator } from './accounts/get-operator.js'
import { getAccount, listAccounts } from './accounts/list-accounts.js'
import { listKeys } from './accounts/list-keys.js'
import {
  exportAccountAudit,
  exportForwarderAudit,
  listAccountAudit,
  listForwarderAudit,
} from './accounts/read-audit.js'
import { revokeKey } from './accounts/revoke-key.js'
import { rotateKey } from './accounts/rotate-key.js'
import { updateAccount } from './accounts/update-account.js'
import { billingHandlers } from './billing/billing-handlers.js'
import { getBranding, setBranding } from './branding/branding.js'
import { postCustomerMessage, uploadOperatorFile } from './conversations/post-message.js'
import { listConversations, listCustomerMessages, settleConversation } from './conversations/read-messages.js'
import { receiveMail } from './conversations/receive-mail.js'
import { getChecklistOf, requireDocument, waiveDocument } from './documents/checklist.js'
import {
  acceptProposal,
  getProposalContent,
  listAllDocumentProposals,
  returnProposal,
} from './documents/decide-proposal.js'
import { findNeededDocuments } from './documents/find-needed-documents.js'
import { getDocumentContent } from './documents/get-document-content.js'
import { getDocumentVersion, listDocumentVersions } from './documents/list-document-versions.js'
import { prepareReplacement, replaceDocument } from './documents/replace-document.js'
import { suggestDocument } from './documents/suggest-document.js'
import { createSupplierLinkFor, listSupplierLinksOf, revokeSupplierLinkOf } from './documents/supplier-links.js'
import { prepareUpdate, updateDocument } from './documents/update-document.js'
import { prepareUpload, uploadDocument } from './documents/upload-document.js'
import { withdrawDocument } from './documents/withdraw-document.js'
import { listAccountEvents } from './events/list-account-events.js'
import { actOnException, actOnExceptions } from './exceptions/act-on-exception.js'
import {
  getAccountExceptionRules,
  getExceptionRules,
  setAccountExceptionRules,
  setExceptionRules,
} from './exceptions/exception-rules.js'
import { getExceptionVersion, listAccountExceptions, listExceptions } from './exceptions/exception-versions.js'
import { removeFactorsByEmail } from './factors/administer-factors.js'
import { removeFeed, rotateFeedSecret, updateFeed } from './feeds/change-feed.js'
import { createFeed } from './feeds/create-feed.js'
import { getFeed, listFeeds } from './feeds/feed-record.js'
import { exportFreeTimeTable, importFreeTimeTable } from './free-time/free-time-tables.js'
import { giveFreeTime, retractFreeTime } from './free-time/give-free-time.js'
import { getFreeTime } from './free-time/shipment-free-time.js'
import { listFreeTimeTerms, removeFreeTimeTerm, setFreeTimeTerm } from './free-time/terms.js'
import { listWorkingDays, removeWorkingDays, setWorkingDays } from './free-time/working-days.js'
import { getHistory } from './history/get-history.js'
import { getOrderArrivalsOf } from './inbound/get-order-arrivals.js'
import { listInboundOf } from './inbound/list-inbound.js'
import { simulateDelayOf } from './inbound/simulate-delay.js'
import { discardDraft } from './invoices/discard-draft.js'
import { draftCreditNote } from './invoices/draft-credit-note.js'
import { draftInvoice } from './invoices/draft-invoice.js'
import { getInvoicePdf } from './invoices/get-invoice-pdf.js'
import { issueInvoice } from './invoices/issue-invoice.js'
import { getInvoiceVersion, listInvoiceVersions } from './invoices/list-invoice-versions.js'
import { moveInvoice } from './invoices/move-invoice.js'
import { recordPayment } from './invoices/record-payment.js'
import { removePayment } from './invoices/remove-payment.js'
import { replaceInvoice } from './invoices/replace-invoice.js'
import { createLocation } from './locations/create-location.js'
import { getLocationVersion, listLocationVersions } from './locations/list-location-versions.js'
import { replaceLocation } from './locations/replace-location.js'
import { updateLocation } from './locations/update-location.js'
import { listMails } from './mail/list-mails.js'
import { getAcknowledgement } from './messages/acknowledge-message.js'
import { lookUpReference } from './messages/look-up-reference.js'
import { previewMessage } from './messages/preview-message.js'
import { getMessage, getMessageContent, listMessages } from './messages/read-messages.js'
import { receiveMessage } from './messages/receive-message.js'
import { listCodes, mapCode, unmapCode } from './messages/sender-codes.js'
import { getSenderColumns, removeSenderColumns, setSenderColumns } from './messages/sender-columns.js'
import { listSenders, removeSender, setSender } from './messages/senders.js'
import { dropMessage, matchMessage, prepareMessage, replayMessage } from './messages/settle-message.js'
import type { OperatorHandlers, OperatorPreparations } from './operator-context.js'
import {
  endStaffSessions,
  inviteAccountPerson,
  inviteAccountPersonAgain,
  inviteStaff,
  inviteStaffAgain,
  listAccountPeople,
  listStaff,
  removeAccountPerson,
  removeStaff,
  updateAccountPerson,
  updateStaff,
} from './people/administer-people.js'
import { startViewing } from './people/viewing.js'
import { getPresence } from './presence/get-presence.js'
import { orderHandlers } from './purchase-orders/order-handlers.js'
import { changeShipments } from './shipments/change-shipments.js'
import { createShipment } from './shipments/create-shipment.js'
import { findAllShipments } from './shipments/find-all-shipments.js'
import { getShipmentVersion, listShipmentVersions } from './shipments/list-shipment-versions.js'
import { moveShipment } from './shipments/move-shipment.js'
import { replaceContainer } from './shipments/replace-container.js'
import { replaceShipment } from './shipments/replace-shipment.js'
import { updateShipment } from './shipments/update-shipment.js'
import { addEvent } from './tracking/add-event.js'
import { addPosition } from './tracking/add-position.js'
import { correctEvent } from './tracking/correct-event.js'
import { explainTrackingOf } from './tracking/explain-tracking.js'
import { getTrackingHistory } from './tracking/get-tracking-history.js'
import { getTrackingJourney } from './tracking/get-tracking-journey.js'
import { getTrackingState } from './tracking/get-tracking-state.js'
import { pinDate, unpinDate } from './tracking/pin-date.js'
import { planTracking } from './tracking/plan-tracking.js'
import { releaseEvent } from './tracking/release-event.js'
import { retractEvent } from './tracking/retract-event.js'
import { shiftDates } from './tracking/shift-dates.js'
import {
  disableWebhook,
  enableWebhook,
  listAccountDeliveries,
  listAccountWebhooks,
} from './webhooks/operate-webhooks.js'
import { countWork } from './work/count-work.js'
import { actOnWorkItems, listWorkItems } from './work/work-items.js'

/**
 * What operators can do: an operation of the operator interface and its use case. The import calls use cases itself
 * (`src/ingest`); the api adds it to this table.
 */
export const operatorHandlers: Omit<OperatorHandlers, 'import'> = {
  ...billingHandlers,
  ...orderHandlers,
  listEvents: listAccountEvents,
  listWebhooks: listAccountWebhooks,
  listWebhookDeliveries: listAccountDeliveries,
  disableWebhook,
  enableWebhook,
  getOperator,
  listAccounts,
  createAccount: createAccountHandler,
  getAccount,
  updateAccount,
  listKeys,
  createKey,
  rotateKey,
  revokeKey,
  removeFactors: removeFactorsByEmail,

  listLocations: listLocationVersions,
  createLocation,
  getLocation: getLocationVersion,
  replaceLocation,
  updateLocation,

  findShipments: findAllShipments,
  listShipments: listShipmentVersions,
  changeShipments,
  createShipment,
  getShipment: getShipmentVersion,
  replaceShipment,
  updateShipment,
  moveShipment,

  getOrderArrivals: getOrderArrivalsOf,
  listInbound: listInboundOf,
  simulateDelay: simulateDelayOf,

  getTracking: getTrackingState,
  getTrackingHistory,
  explainTracking: explainTrackingOf,
  planTracking,
  getPresence,
  addEvent,
  correctEvent,
  releaseEvent,
  getTrackingJourney,
  replaceContainer,
  pinDate,
  shiftDates,
  listSenders,
  setSender,
  removeSender,
  unpinDate,
  retractEvent,
  addPosition,

  receiveMessage,
  listMessages,
  getMessage,
  getMessageContent,
  replayMessage,
  matchMessage,
  dropMessage,
  getAcknowledgement,
  listCodes,
  mapCode,
  getBranding,
  listMails,
  setBranding,
  unmapCode,
  previewMessage,
  getSenderColumns,
  setSenderColumns,
  removeSenderColumns,
  lookUpReference,

  listFeeds,
  createFeed,
  getFeed,
  updateFeed,
  rotateFeedSecret,
  removeFeed,

  listFreeTimeTerms,
  setFreeTimeTerm,
  removeFreeTimeTerm,
  listWorkingDays,
  setWorkingDays,
  removeWorkingDays,
  importFreeTimeTable,
  exportFreeTimeTable,
  getFreeTime,
  giveFreeTime,
  retractFreeTime,

  listDocuments: listDocumentVersions,
  uploadDocument,
  suggestDocument,
  listConversations,
  listCustomerMessages,
  postCustomerMessage,
  uploadMessageFile: uploadOperatorFile,
  settleConversation,
  receiveMail,
  getDocument: getDocumentVersion,
  getDocumentContent,
  updateDocument,
  replaceDocument,
  withdrawDocument,
  listDocumentProposals: listAllDocumentProposals,
  findNeededDocuments,
  getProposalContent,
  acceptProposal,
  returnProposal,
  listSupplierLinks: listSupplierLinksOf,
  createSupplierLink: createSupplierLinkFor,
  revokeSupplierLink: revokeSupplierLinkOf,
  getChecklist: getChecklistOf,
  waiveDocument,
  requireDocument,

  listInvoices: listInvoiceVersions,
  draftInvoice,
  getInvoice: getInvoiceVersion,
  replaceInvoice,
  discardDraft,
  moveInvoice,
  issueInvoice,
  recordPayment,
  removePayment,
  draftCreditNote,
  getInvoicePdf,

  countWork,
  listWorkItems,
  actOnWorkItems,
  listExceptions,
  actOnExceptions,
  listAccountExceptions,
  getException: getExceptionVersion,
  actOnException,
  getExceptionRules,
  setExceptionRules,
  getAccountExceptionRules,
  setAccountExceptionRules,
  getHistory,
  listAccountAudit,
  exportAccountAudit,
  listForwarderAudit,
  exportForwarderAudit,

  listAccountPeople,
  inviteAccountPerson,
  inviteAccountPersonAgain,
  updateAccountPerson,
  removeAccountPerson,
  listStaff,
  inviteStaff,
  inviteStaffAgain,
  updateStaff,
  removeStaff,
  endStaffSessions,
  startViewing,
}

/** The slow work of some operations, done before their transaction begins. */
export const operatorPreparations: OperatorPreparations = {
  uploadDocument: prepareUpload,
  uploadMessageFile: prepareUpload,
  replaceDocument: prepareReplacement,
  updateDocument: prepareUpdate,
  replayMessage: prepareMessage,
  matchMessage: prepareMessage,
}
