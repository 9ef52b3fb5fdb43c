import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Contrasts of WCAG 2.2, level AA, computed from the colours of both themes. */

const css = readFileSync('web/portal/portal.css', 'utf8')
const tokens = [...css.matchAll(/^\s*--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);$/gm)].map(
  ([, name, light, dark]) => ({ name: name as string, light: light as string, dark: dark as string }),
)

function colorOf(name: string, theme: 'light' | 'dark'): string {
  const token = tokens.find((each) => each.name === name)
  if (!token) throw new Error(`there is no colour called ${name}`)
  return token[theme]
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((share) => (share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const grounds = ['ground', 'surface', 'raised', 'hover']
const tones = ['accent', 'late', 'problem', 'done', 'planned']

// Text of any size needs 4.5; icons, borders of fields and focus indicators need 3.
const written: [text: string, on: string[]][] = [
  ['ink', [...grounds, ...tones.map((tone) => `${tone}-soft`)]],
  ['ink-soft', [...grounds, 'accent-soft']],
  ['accent-strong', [...grounds, 'accent-soft']],
  ...['late', 'problem', 'done', 'planned'].map((tone): [string, string[]] => [tone, [...grounds, `${tone}-soft`]]),
  ['on-accent', ['accent', 'accent-strong', 'problem', 'late', 'done']],
]
const drawn: [sign: string, on: string[]][] = [
  ['accent', grounds],
  ['line-strong', grounds],
  ['accent', ['accent-soft']],
]

for (const theme of ['light', 'dark'] as const) {
  const pairs = [
    ...written.flatMap(([text, on]) => on.map((ground) => ({ text, ground, least: 4.5 }))),
    ...drawn.flatMap(([text, on]) => on.map((ground) => ({ text, ground, least: 3 }))),
  ]
  test.each(pairs)(
    `$text on $ground has a contrast of at least $least in the ${theme} theme`,
    ({ text, ground, least }) => {
      expect(contrast(colorOf(text, theme), colorOf(ground, theme))).toBeGreaterThanOrEqual(least)
    },
  )
}

test('style sheets use colours of the theme only, except for the picture on the sign-in page', () => {
  const sheets = ['ui', 'portal/layout', 'portal/pages'].flatMap((folder) => styleSheets(`web/${folder}`))
  const own = sheets.filter((path) => /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsl/i.test(readFileSync(path, 'utf8')))
  expect(own).toEqual(['web/portal/pages/sign-in/sign-in.module.css'])
})

function styleSheets(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.css'))
    .map((path) => `${folder}/${path}`)
}
