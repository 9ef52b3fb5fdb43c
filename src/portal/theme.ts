import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'

/** Mantine in the portal's own colours, sizes and pace: portal.css says what they are. */

// Shade 7 is the accent in the light, shade 4 in the dark.
const harbour: MantineColorsTuple = [
  '#e0f1f2',
  '#c3e5e8',
  '#a1d7dc',
  '#7fd3da',
  '#4fbcc6',
  '#2c9ea8',
  '#178b95',
  '#0e7c86',
  '#0a636b',
  '#084c53',
]

// What Mantine paints with in the dark: deep navy as everything else, not its grey.
const navy: MantineColorsTuple = [
  '#e7eef5',
  '#c9d5e0',
  '#a3b4c4',
  '#8497a9',
  '#6a7f93',
  '#22374a',
  '#10202f',
  '#0b1622',
  '#08111b',
  '#050c14',
]

// The names that components may be given as their `color`.
const tones: Record<string, string> = {
  harbour: 'accent',
  red: 'problem',
  orange: 'late',
  yellow: 'late',
  green: 'done',
  gray: 'planned',
}

/** The same colours in both themes by name, where Mantine would compute them. */
const colorsOf: VariantColorsResolver = ({ color, variant }) => {
  const tone = tones[color ?? 'harbour'] ?? 'accent'
  const strong = tone === 'accent' ? 'var(--accent-strong)' : `var(--${tone})`
  const border = '1px solid transparent'
  switch (variant) {
    case 'filled':
      return { background: `var(--${tone})`, hover: strong, color: 'var(--on-accent)', border }
    case 'light':
      return { background: `var(--${tone}-soft)`, hover: `var(--${tone}-soft)`, color: strong, border }
    case 'outline':
      return { background: 'transparent', hover: 'var(--hover)', color: strong, border: `1px solid var(--${tone})` }
    case 'default':
      return {
        background: 'var(--surface)',
        hover: 'var(--hover)',
        color: 'var(--ink)',
        border: '1px solid var(--line-strong)',
      }
    default:
      return { background: 'transparent', hover: 'var(--hover)', color: strong, border }
  }
}

const quick = { transitionProps: { duration: 100 } }

export const theme = createTheme({
  primaryColor: 'harbour',
  primaryShade: { light: 7, dark: 4 },
  variantColorResolver: colorsOf,
  colors: { harbour, dark: navy },
  black: '#0b1f33',
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  // Three sizes of text, two weights.
  fontSizes: {
    xs: 'var(--text-small)',
    sm: 'var(--text-small)',
    md: 'var(--text)',
    lg: 'var(--text)',
    xl: 'var(--text-large)',
  },
  fontWeights: { regular: '400', medium: '600', bold: '600' },
  headings: { fontWeight: '600' },
  defaultRadius: 'var(--radius)',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Menu: { defaultProps: { ...quick, shadow: 'md' } },
    Popover: { defaultProps: { ...quick, shadow: 'md' } },
    Tooltip: { defaultProps: { ...quick, openDelay: 250 } },
    Modal: { defaultProps: quick },
    Drawer: { defaultProps: quick },
    Select: { defaultProps: { comboboxProps: quick } },
    Checkbox: { vars: () => ({ root: { '--checkbox-icon-color': 'var(--on-accent)' } }) },
    Radio: { vars: () => ({ root: { '--radio-icon-color': 'var(--on-accent)' } }) },
    InputWrapper: {
      vars: () => ({
        label: {},
        description: { '--input-description-size': 'var(--text-small)' },
        error: { '--input-error-size': 'var(--text-small)' },
      }),
    },
  },
})

const names = {
  body: 'ground',
  text: 'ink',
  bright: 'ink',
  dimmed: 'ink-soft',
  placeholder: 'ink-soft',
  anchor: 'accent-strong',
  error: 'problem',
  default: 'surface',
  'default-hover': 'hover',
  'default-color': 'ink',
  'default-border': 'line-strong',
  // The edges of fields, boxes and radio buttons, in the light and in the dark.
  'gray-4': 'line-strong',
  'dark-4': 'line-strong',
  disabled: 'hover',
  'disabled-color': 'ink-soft',
  'disabled-border': 'line',
  'harbour-filled': 'accent',
  'harbour-filled-hover': 'accent-strong',
  'harbour-light': 'accent-soft',
  'harbour-light-hover': 'accent-soft',
  'harbour-light-color': 'accent-strong',
  'harbour-text': 'accent-strong',
  'harbour-outline': 'accent',
}

const ours: Record<string, string> = {
  ...Object.fromEntries(Object.entries(names).map(([name, token]) => [`--mantine-color-${name}`, `var(--${token})`])),
  '--mantine-primary-color-contrast': 'var(--on-accent)',
}

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: ours, dark: ours })
