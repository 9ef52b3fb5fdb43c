import { contrast, mix } from './contrast.js'

/** The colours of the portal that follow from the forwarder's own, in both themes. */

export type Accent = { accent: string; strong: string; soft: string; on: string }
export type Accents = { light: Accent; dark: Accent }

// As in web/portal/portal.css.
const themes = {
  light: { grounds: ['#f7f8fa', '#ffffff', '#eef2f5'], ink: '#0b1f33', inkSoft: '#51616f', on: '#ffffff' },
  dark: { grounds: ['#0b1622', '#10202f', '#16293b', '#182c3f'], ink: '#e7eef5', inkSoft: '#a3b4c4', on: '#05222a' },
} as const
type Theme = keyof typeof themes

const accentOf: Record<Theme, (color: string) => Accent> = {
  light: (accent) => ({
    accent,
    strong: mix(accent, 0.8, '#000000'),
    soft: mix(accent, 0.1, '#ffffff'),
    on: '#ffffff',
  }),
  dark: (accent) => ({
    accent,
    strong: mix(accent, 0.65, '#ffffff'),
    soft: mix(accent, 0.18, '#10202f'),
    on: '#05222a',
  }),
}

/** The lowest contrast of a text in this colour, or on it: level AA needs 4.5. */
export function lowestContrast(theme: Theme, color: string): number {
  const { grounds, ink, inkSoft } = themes[theme]
  const { accent, strong, soft, on } = accentOf[theme](color)
  const pairs: [string, string][] = [
    ...[...grounds, soft].flatMap((ground): [string, string][] => [
      [accent, ground],
      [strong, ground],
    ]),
    [on, accent],
    [on, strong],
    [ink, soft],
    [inkSoft, soft],
  ]
  return Math.min(...pairs.map(([one, other]) => contrast(one, other)))
}

export const leastContrast = 4.5

/** The colour of the dark theme, unless one is given: the lightest needed tint of the other. */
export function darkTint(color: string): string {
  const shares = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2]
  const tints = shares.map((share) => mix(color, share, '#ffffff'))
  return tints.find((tint) => lowestContrast('dark', tint) >= leastContrast) ?? '#ffffff'
}

export function accentsOf(color: string, darkColor = darkTint(color)): Accents {
  return { light: accentOf.light(color), dark: accentOf.dark(darkColor) }
}
