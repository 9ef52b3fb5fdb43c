import './mantine-styles.js'
import { MantineProvider } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { useColorScheme } from './shell/color-scheme.js'
import { cssVariables, theme } from './theme.js'

/** What pages with Mantine's components find around them. The list of shipments, which people open first, has none. */
export function MantinePages() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      forceColorScheme={useColorScheme()}
      withGlobalClasses={false}
      withStaticClasses={false}
    >
      <Outlet />
    </MantineProvider>
  )
}
