import { Type } from 'typebox'
import { take } from '../operation.js'
import { FreeTimeFactFields } from '../public/free-time.js'
import { asOf } from '../public/shared-types.js'
import { closed, Identifier, oneOf } from '../schema.js'
import {
  ForwarderFreeTime,
  FreeTimePlace,
  FreeTimeTableResult,
  FreeTimeTerm,
  FreeTimeTermFields,
  FreeTimeTerms,
  freeTimeTables,
  WorkingDays,
  WorkingDaysFields,
  WorkingDaysList,
} from './free-time.js'
import type { OperatorOperation } from './operation.js'
import { Removed } from './shipments.js'
import { accountParam, Reason } from './version.js'

const term = closed({ term_id: Identifier })
const place = closed({ place: FreeTimePlace })
const shipment = closed({ ...accountParam, svc_shipment_id: Identifier })
const fact = closed({ ...accountParam, svc_shipment_id: Identifier, fact_id: Identifier })
const after = { ...Identifier, description: 'Cursor: `next` of the previous page.' }

/** Free time of containers: rules, calendars, clocks, and what was given for one shipment. */
export const freeTimeOperations = {
  listFreeTimeTerms: {
    method: 'GET',
    path: '/ops/v1/freeTimeTerms',
    covers: 'own_accounts',
    tag: 'Free time',
    right: 'read',
    summary: 'List the rules of free time',
    query: closed({}, { after, take: take(200, { default: 100 }), ...asOf }),
    success: { status: 200, body: FreeTimeTerms },
    refusals: [],
  },
  setFreeTimeTerm: {
    method: 'PUT',
    path: '/ops/v1/freeTimeTerms/{term_id}',
    covers: 'all_accounts',
    tag: 'Free time',
    right: 'operate',
    summary: 'Set a rule of free time, or replace it',
    params: term,
    body: FreeTimeTermFields,
    recordsAudit: true,
    success: { status: 200, body: FreeTimeTerm },
    refusals: [],
  },
  removeFreeTimeTerm: {
    method: 'DELETE',
    path: '/ops/v1/freeTimeTerms/{term_id}',
    covers: 'all_accounts',
    tag: 'Free time',
    right: 'operate',
    summary: 'Remove a rule of free time: clocks follow the next one that applies',
    params: term,
    recordsAudit: true,
    success: { status: 200, body: Removed },
    refusals: ['free_time_term_not_found'],
  },
  listWorkingDays: {
    method: 'GET',
    path: '/ops/v1/workingDays',
    covers: 'no_account',
    tag: 'Free time',
    right: 'read',
    summary: 'List the calendars of working days',
    query: closed({}, { after, take: take(100, { default: 50 }), ...asOf }),
    success: { status: 200, body: WorkingDaysList },
    refusals: [],
  },
  setWorkingDays: {
    method: 'PUT',
    path: '/ops/v1/workingDays/{place}',
    covers: 'all_accounts',
    tag: 'Free time',
    right: 'operate',
    summary: 'Set the weekend, holidays and closures of a port or country',
    params: place,
    body: WorkingDaysFields,
    recordsAudit: true,
    success: { status: 200, body: WorkingDays },
    refusals: [],
  },
  removeWorkingDays: {
    method: 'DELETE',
    path: '/ops/v1/workingDays/{place}',
    covers: 'all_accounts',
    tag: 'Free time',
    right: 'operate',
    summary: 'Remove the calendar of a port or country',
    params: place,
    recordsAudit: true,
    success: { status: 200, body: Removed },
    refusals: ['working_days_not_found'],
  },
  importFreeTimeTable: {
    method: 'POST',
    path: '/ops/v1/freeTimeTables',
    covers: 'all_accounts',
    tag: 'Free time',
    right: 'operate',
    summary: 'Import rules or calendars as a table (CSV or XLSX), all or nothing; others stay as they are',
    accepts: 'message',
    query: closed(
      { table: oneOf(freeTimeTables) },
      { check: oneOf(['true', 'false'], { description: 'Report what would change, and change nothing.' }) },
    ),
    recordsAudit: true,
    success: { status: 200, body: FreeTimeTableResult },
    refusals: ['payload_too_large', 'unsupported_media_type'],
  },
  exportFreeTimeTable: {
    method: 'GET',
    path: '/ops/v1/freeTimeTables',
    covers: 'own_accounts',
    tag: 'Free time',
    right: 'read',
    summary: 'Download all rules or calendars as a table, which can be edited and imported again',
    returns: 'file',
    audit: 'export',
    query: closed({ table: oneOf(freeTimeTables) }, { format: oneOf(['csv', 'xlsx'], { default: 'csv' }), ...asOf }),
    success: { status: 200, body: Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: '*/*' }) },
    refusals: [],
  },
  getFreeTime: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/shipments/{svc_shipment_id}/freeTime',
    tag: 'Free time',
    right: 'read',
    summary: 'Get the free time of all containers of a shipment: last free days, days over, cost, by which rule',
    params: shipment,
    query: closed({}, asOf),
    success: { status: 200, body: ForwarderFreeTime },
    refusals: ['tracking_not_found', 'version_not_found'],
  },
  giveFreeTime: {
    method: 'PUT',
    path: '/ops/v1/accounts/{account}/shipments/{svc_shipment_id}/freeTime/{fact_id}',
    tag: 'Free time',
    right: 'operate',
    summary:
      'Record a last free day that somebody gave, or days granted in addition; with the same `fact_id`, replace it',
    params: fact,
    body: FreeTimeFactFields,
    success: { status: 200, body: ForwarderFreeTime },
    refusals: ['tracking_not_found'],
  },
  retractFreeTime: {
    method: 'DELETE',
    path: '/ops/v1/accounts/{account}/shipments/{svc_shipment_id}/freeTime/{fact_id}',
    tag: 'Free time',
    right: 'operate',
    summary: 'Retract a last free day or days granted in addition; the history keeps them',
    params: fact,
    query: closed({ reason: Reason }),
    success: { status: 200, body: ForwarderFreeTime },
    refusals: ['tracking_not_found', 'free_time_fact_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>
