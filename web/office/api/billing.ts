import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { OperatorQuery, OperatorResponse } from '../../../src/contract/operator/operations.js'
import { ops } from './ops.js'

/** The queries of the billing pages. */

export type InvoiceRow = OperatorResponse<'findInvoices'>['invoices'][number]
export type UnbilledRow = OperatorResponse<'listUnbilled'>['shipments'][number]
export type InvoiceParams = { account: string; reference: string }

const live = { refetchInterval: 30_000, placeholderData: keepPreviousData }

export const invoicesQuery = (query: Omit<NonNullable<OperatorQuery<'findInvoices'>>, 'after' | 'take'>) =>
  infiniteQueryOptions({
    queryKey: ['billing', 'invoices', query],
    queryFn: ({ pageParam: after, signal }) =>
      ops.findInvoices({ query: { ...query, ...(after !== undefined && { after }), take: 50 }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: { next?: string }) => next,
    ...live,
  })

export const unbilledQuery = (query: Omit<NonNullable<OperatorQuery<'listUnbilled'>>, 'take'>) =>
  queryOptions({
    queryKey: ['billing', 'unbilled', query],
    queryFn: ({ signal }) => ops.listUnbilled({ query: { ...query, take: 200 }, signal }),
    ...live,
  })

export const invoiceQuery = (params: InvoiceParams) =>
  queryOptions({
    queryKey: ['billing', 'invoice', params],
    queryFn: ({ signal }) => ops.getInvoice({ params, signal }),
    refetchInterval: 30_000,
  })

export const checksQuery = (params: InvoiceParams) =>
  queryOptions({
    queryKey: ['billing', 'checks', params],
    queryFn: ({ signal }) => ops.checkInvoice({ params, signal }),
    refetchInterval: 30_000,
  })

export const templatesQuery = () =>
  queryOptions({ queryKey: ['billing', 'templates'], queryFn: ({ signal }) => ops.listChargeTemplates({ signal }) })

export const receivablesQuery = () =>
  queryOptions({
    queryKey: ['billing', 'receivables'],
    queryFn: ({ signal }) => ops.listReceivables({ query: { take: 200 }, signal }),
    ...live,
  })

export const accountBillingQuery = (account: string) =>
  queryOptions({
    queryKey: ['billing', 'account', account],
    queryFn: ({ signal }) => ops.getAccountBilling({ params: { account }, signal }),
    refetchInterval: 30_000,
  })

export const billingSettingsQuery = () =>
  queryOptions({ queryKey: ['billing', 'settings'], queryFn: ({ signal }) => ops.getBillingSettings({ signal }) })
