import { IconChevronDown, IconDownload } from '@tabler/icons-react'
import { Button } from '../../ui/button.js'
import { Menu, MenuLink } from '../../ui/menu.js'
import { useMessages } from '../i18n/messages.js'

/** Exports everything that a list finds, not only the loaded rows. */
export function ExportMenu({ addressOf }: { addressOf(format: 'csv' | 'xlsx'): string }) {
  const m = useMessages().shipments
  return (
    <Menu
      label={m.export}
      align="end"
      trigger={(trigger) => (
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          rightSection={<IconChevronDown size={14} />}
          {...trigger}
        >
          {m.export}
        </Button>
      )}
    >
      <MenuLink href={addressOf('csv')} download>
        {m.exportCsv}
      </MenuLink>
      <MenuLink href={addressOf('xlsx')} download>
        {m.exportXlsx}
      </MenuLink>
    </Menu>
  )
}
