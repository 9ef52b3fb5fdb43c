import type { Site } from '../../src/contract/portal/sites.js'

/** The portal of customers, or the office of operators: they share pages, and the address says which of them it is. */
const path = typeof window === 'undefined' ? '/' : window.location.pathname

export const site: Site = /^\/office(?:\/|$)/.test(path) ? 'office' : 'portal'
