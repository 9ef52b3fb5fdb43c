/** Where people sign in: customers at the portal, operators of the forwarder at the office. No session works at both. */
export const sites = ['portal', 'office'] as const
export type Site = (typeof sites)[number]

/** The path at which the operations of a site begin. */
export const interfaceOf = { portal: '/portal/v1', office: '/office/v1' } as const satisfies Record<Site, string>

/** The path at which the pages of a site begin. */
export const pagesOf = { portal: '', office: '/office' } as const satisfies Record<Site, string>
