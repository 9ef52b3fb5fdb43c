import { useMediaQuery } from '@mantine/hooks'

/** Whether tables have no room: what they show is then told line by line. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false }) ?? false
}
