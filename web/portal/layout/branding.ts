import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SignInOptions } from '../../../src/contract/portal/people.js'
import { signInOptionsQuery } from '../api/queries.js'
import { useProductName } from '../i18n/messages.js'
import { site } from '../site.js'

/** The forwarder's name, logo and colours. Stored in this browser, so that nothing changes while the next page loads. */

type Branding = Pick<SignInOptions, 'colors' | 'logo'> & { name?: string }

const key = 'waybill.branding'

function stored(): Branding {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof found === 'object' && found !== null ? found : {}
  } catch {
    return {}
  }
}

const tokens = { accent: '--accent', strong: '--accent-strong', soft: '--accent-soft', on: '--on-accent' } as const

function apply({ colors }: Branding): void {
  const { style } = document.documentElement
  for (const [name, token] of Object.entries(tokens) as [keyof typeof tokens, string][]) {
    if (colors) style.setProperty(token, `light-dark(${colors.light[name]}, ${colors.dark[name]})`)
    else style.removeProperty(token)
  }
}

/** Called before the first paint. */
export const applyBranding = () => apply(stored())

export function useBranding(): { name: string; logo: string | undefined } {
  const productName = useProductName()
  const { data } = useQuery(signInOptionsQuery())
  useEffect(() => {
    if (!data) return
    const { colors, logo, forwarder_name: name } = data
    const branding = { ...(colors && { colors }), ...(logo && { logo }), name }
    localStorage.setItem(key, JSON.stringify(branding))
    apply(branding)
  }, [data])
  const { name, logo } = data ? { name: data.forwarder_name, logo: data.logo } : stored()
  return { name: site === 'office' ? productName : (name ?? productName), logo }
}
