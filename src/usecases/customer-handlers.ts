import { getInvoiceChecks } from './billing/invoice-checks.js'
import { postOwnMessage, uploadOwnFile } from './conversations/post-message.js'
import { listOwnMessages } from './conversations/read-messages.js'
import type { CustomerHandlers } from './customer-context.js'
import { listDocuments } from './documents/list-documents.js'
import { listOwnProposals, proposeDocument } from './documents/propose-document.js'
import { listEvents } from './events/list-events.js'
import { acknowledgeException } from './exceptions/act-on-exception.js'
import { getException, listExceptions } from './exceptions/list-exceptions.js'
import { getOwnFreeTime } from './free-time/shipment-free-time.js'
import { getOrderArrivals } from './inbound/get-order-arrivals.js'
import { listInboundLines } from './inbound/list-inbound.js'
import { simulateDelayOfOwn } from './inbound/simulate-delay.js'
import { getInvoice, listInvoices } from './invoices/list-invoices.js'
import { getLocation, listLocations } from './locations/list-locations.js'
import { cancelPurchaseOrder } from './purchase-orders/cancel-purchase-order.js'
import { createPurchaseOrder } from './purchase-orders/create-purchase-order.js'
import { getPurchaseOrder, listPurchaseOrders } from './purchase-orders/list-purchase-orders.js'
import { updatePurchaseOrder } from './purchase-orders/update-purchase-order.js'
import { createSharedLink, listSharedLinks, revokeSharedLink } from './sharing/shared-links.js'
import { getShipment, listShipments } from './shipments/list-shipments.js'
import { explainTracking } from './tracking/explain-tracking.js'
import { getTracking } from './tracking/get-tracking.js'
import { listWebhookDeliveries, replayWebhook, resendWebhookDelivery, testWebhook } from './webhooks/deliveries.js'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from './webhooks/manage-webhooks.js'

/** What customers can do: an operation of the public interface and its use case. */
export const customerHandlers: CustomerHandlers = {
  listShipments,
  getShipment,
  createPurchaseOrder,
  cancelPurchaseOrder,
  updatePurchaseOrder,
  listPurchaseOrders,
  getPurchaseOrder,
  getOrderArrivals,
  listInbound: listInboundLines,
  simulateDelay: simulateDelayOfOwn,
  listLocations,
  getLocation,
  listInvoices,
  getInvoice,
  getInvoiceChecks,
  getTracking,
  explainTracking,
  getFreeTime: getOwnFreeTime,
  listDocuments,
  proposeDocument,
  listDocumentProposals: listOwnProposals,
  listExceptions,
  getException,
  acknowledgeException,
  listEvents,
  createSharedLink,
  listSharedLinks,
  revokeSharedLink,
  listMessages: listOwnMessages,
  postMessage: postOwnMessage,
  uploadMessageFile: uploadOwnFile,
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  testWebhook,
  replayWebhook,
  listWebhookDeliveries,
  resendWebhookDelivery,
}
