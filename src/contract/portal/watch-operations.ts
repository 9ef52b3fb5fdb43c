import { Type } from 'typebox'
import { ExceptionExport, ExceptionPage, ExceptionSearch } from './exceptions.js'
import { csv, workbook } from './files.js'
import { InboundExport, InboundPage, InboundSearch } from './inbound.js'
import type { PortalOperation } from './operation.js'

/** What arrives when, and what needs attention. */
export const watchOperations = {
  findInbound: {
    method: 'GET',
    path: '/portal/v1/inbound',
    tag: 'Purchase orders',
    access: 'read',
    isOfAccount: true,
    summary: 'Search and filter what arrives when, with sums by week',
    query: InboundSearch,
    success: { status: 200, body: InboundPage },
    refusals: [],
  },
  findExceptions: {
    method: 'GET',
    path: '/portal/v1/exceptions',
    tag: 'Shipments',
    access: 'read',
    isOfAccount: true,
    summary: 'Filter what needs attention, the most severe first, with counts by kind',
    query: ExceptionSearch,
    success: { status: 200, body: ExceptionPage },
    refusals: [],
  },
  exportExceptions: {
    method: 'GET',
    path: '/portal/v1/exceptions/export',
    tag: 'Shipments',
    access: 'read',
    summary: 'Export what needs attention as a spreadsheet, a row for each order line that it threatens',
    query: ExceptionExport,
    returns: 'file',
    audit: 'export',
    success: { status: 200, body: Type.Union([csv, workbook]) },
    refusals: [],
  },
  exportInbound: {
    method: 'GET',
    path: '/portal/v1/inbound/export',
    tag: 'Purchase orders',
    access: 'read',
    summary: 'Export what arrives when as a spreadsheet',
    query: InboundExport,
    returns: 'file',
    audit: 'export',
    success: { status: 200, body: Type.Union([csv, workbook]) },
    refusals: [],
  },
} as const satisfies Record<string, PortalOperation>
