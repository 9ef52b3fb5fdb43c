import type { Location } from '../../../../src/contract/public/location.js'

/** Company and city: a company has several locations. */
export function locationLabel({ name, company_name = name, city }: Location): string | undefined {
  return [company_name, city].filter(Boolean).join(', ') || undefined
}
