import { type Static, Type } from 'typebox'
import { named, patterned } from '../schema.js'
import type { OperatorOperation } from './operation.js'

const Color = patterned('^#[0-9a-fA-F]{6}$', 'must be a colour such as #0a5f8c')

/** How the portal looks. Its name is a setting, `WAYBILL_FORWARDER_NAME`. */
export const Branding = named(
  'Branding',
  {},
  {
    color: Color,
    dark_color: Color,
    logo: Type.String({
      maxLength: 90_000,
      contentEncoding: 'base64',
      description: 'A PNG of at most 64 KiB and 1024 × 1024 pixels, base64-encoded.',
    }),
  },
)
export type Branding = Static<typeof Branding>

export const brandingOperations = {
  getBranding: {
    method: 'GET',
    path: '/ops/v1/branding',
    covers: 'no_account',
    tag: 'Accounts',
    right: 'read',
    summary: "Get the forwarder's colours and logo in the portal",
    success: { status: 200, body: Branding },
    refusals: [],
  },
  setBranding: {
    method: 'PUT',
    path: '/ops/v1/branding',
    covers: 'all_accounts',
    tag: 'Accounts',
    right: 'administer',
    summary: "Set the forwarder's colours and logo in the portal; what is left out is removed",
    body: Branding,
    recordsAudit: true,
    success: { status: 200, body: Branding },
    refusals: [],
  },
} as const satisfies Record<string, OperatorOperation>
