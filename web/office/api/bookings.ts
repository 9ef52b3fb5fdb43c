import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { OperatorQuery, OperatorResponse } from '../../../src/contract/operator/operations.js'
import { ops } from './ops.js'

/** The queries of the booking desk. */

export type OpenOrder = OperatorResponse<'findOpenOrders'>['orders'][number]
export type OpenLine = OpenOrder['lines'][number]

export const openOrdersQuery = (query: Omit<NonNullable<OperatorQuery<'findOpenOrders'>>, 'after' | 'take'>) =>
  infiniteQueryOptions({
    queryKey: ['bookings', 'open', query],
    queryFn: ({ pageParam: after, signal }) =>
      ops.findOpenOrders({ query: { ...query, ...(after !== undefined && { after }), take: 50 }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: { next?: string }) => next,
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
  })

export type Lane = { origin?: string; destination?: string }

/** The last shipments of a customer on a lane: a new one may be like them. */
export const lastShipmentsQuery = (account: string, lane: Lane) =>
  queryOptions({
    queryKey: ['bookings', 'last', account, lane],
    queryFn: ({ signal }) => ops.findShipments({ query: { account, ...lane, sort: 'newest', take: 6 }, signal }),
    placeholderData: keepPreviousData,
  })

/** Those that can still take order lines. */
export const openShipmentsQuery = (account: string, q: string) =>
  queryOptions({
    queryKey: ['bookings', 'shipments', account, q],
    queryFn: ({ signal }) =>
      ops.findShipments({
        query: {
          account,
          status: 'draft,booking_request,awaiting_booking,booked',
          sort: 'newest',
          take: 8,
          ...(q !== '' && { q }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export const locationsQuery = (account: string) =>
  queryOptions({
    queryKey: ['bookings', 'locations', account],
    queryFn: ({ signal }) => ops.listLocations({ params: { account }, query: { take: 100 }, signal }),
    staleTime: 60_000,
  })
