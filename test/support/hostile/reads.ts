import { operatorOperations } from '../../../src/contract/operator/operations.js'
import { portalOperations } from '../../../src/contract/portal/operations.js'
import { operations } from '../../../src/contract/public/operations.js'
import { sendRaw } from '../raw-http.js'
import { calendarOf, heavyOrder, shipmentOf } from './heavy-account.js'
import { type Access, type HostileRequest, type HostileTarget, statusOf, statusOfBody } from './target.js'

/** Ordinary requests that read as much as they may, of an account with much data. */

const { getHistory, listPurchaseOrders, listShipments, listInvoices, getPurchaseOrder } = operatorOperations
const ofOrder = getHistory.path.replace('{kind}', 'purchase_order').replace('{id}', heavyOrder)
const soon = () => encodeURIComponent(new Date(Date.now() + 60_000).toISOString())

const gets: [name: string, access: Access, path: string | (() => string)][] = [
  ['listEvents', 'customer', `${operations.listEvents.path}?limit=1000`],
  ['listEvents, the newest first', 'customer', `${operations.listEvents.path}?limit=1000&order=newest_first`],
  ['listEvents with their resources', 'customer', `${operations.listEvents.path}?limit=1000&include=object`],
  ['listEvents', 'operator', `${operatorOperations.listEvents.path}?account={account}&limit=1000`],
  ['listPurchaseOrders', 'customer', operations.listPurchaseOrders.path],
  ['listInvoices', 'customer', `${operations.listInvoices.path}?take=1000`],
  ['listShipments', 'customer', `${operations.listShipments.path}?take=100`],
  ['listInbound', 'customer', `${operations.listInbound.path}?take=1000`],
  ['listExceptions', 'customer', `${operations.listExceptions.path}?take=1000`],
  ['getHistory of an order', 'operator', `${ofOrder}?take=100`],
  ['getPurchaseOrder', 'operator', getPurchaseOrder.path.replace('{reference}', heavyOrder)],
  ['listPurchaseOrders', 'operator', `${listPurchaseOrders.path}?take=100`],
  ['listPurchaseOrders of the past', 'operator', () => `${listPurchaseOrders.path}?take=100&as_of=${soon()}`],
  ['listShipments', 'operator', `${listShipments.path}?take=100`],
  ['listShipments of the past', 'operator', () => `${listShipments.path}?take=100&as_of=${soon()}`],
  ['listInvoices', 'operator', `${listInvoices.path}?take=100`],
  ['findOpenOrders', 'operator', `${operatorOperations.findOpenOrders.path}?account={account}&take=100`],
  ['listConversations', 'operator', `${operatorOperations.listConversations.path}?take=200`],
  ['findPurchaseOrders', 'person', `${portalOperations.findPurchaseOrders.path}?take=100`],
  ['findShipments', 'person', `${portalOperations.findShipments.path}?take=100`],
  ['getOverview', 'person', portalOperations.getOverview.path],
  ['exportPurchaseOrders as CSV', 'person', `${portalOperations.exportPurchaseOrders.path}?format=csv`],
  ['exportPurchaseOrders as XLSX', 'person', `${portalOperations.exportPurchaseOrders.path}?format=xlsx`],
  ['exportShipments as XLSX', 'person', `${portalOperations.exportShipments.path}?format=xlsx`],
  ['exportInvoices as XLSX', 'person', `${portalOperations.exportInvoices.path}?format=xlsx`],
]

const ofPaths: HostileRequest[] = gets.map(([name, access, path]) => ({
  name: `${name} (${access}): of an account with much data`,
  status: 200,
  send(target) {
    const filled = (typeof path === 'string' ? path : path()).replaceAll('{account}', target.heavy.slug)
    return statusOf(target, access, { target: filled }, target.heavy)
  },
}))

const tools: [name: string, input: object | ((target: HostileTarget) => Promise<object>)][] = [
  ['find', { query: 'none 1' }],
  ['list_invoices_due', { limit: 50 }],
  ['list_late', { limit: 50 }],
  ['list_inbound', { limit: 50 }],
  ['recent_changes', { limit: 50 }],
  ['get_free_time', async (target) => ({ svc_shipment_id: await shipmentOf(target, target.heavy) })],
]

const ofTools: HostileRequest[] = tools.map(([name, input]) => ({
  name: `${name} of callTools (customer): of an account with much data`,
  status: 200,
  async send(target) {
    const given = typeof input === 'function' ? await input(target) : input
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
    const headers = { accept: 'application/json, text/event-stream' }
    return statusOfBody(target, 'customer', { path: '/mcp', headers, body: JSON.stringify(call) }, target.heavy)
  },
}))

export const hostileReads: HostileRequest[] = [
  ...ofPaths,
  ...ofTools,
  {
    name: 'readCalendar (anyone): of an account with much data',
    status: 200,
    async send(target) {
      const address = await calendarOf(target, target.heavy)
      return (await sendRaw(target.baseUrl, { target: address })).status
    },
  },
]
