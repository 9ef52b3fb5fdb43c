import { IconChevronDown, IconDownload } from '@tabler/icons-react'
import { portalAddress } from '../../../../src/client/portal-client.js'
import { filterOf, type ShipmentsSearch } from '../../../../src/domain/shipments/shipment-view.js'
import { Button } from '../../../ui/button.js'
import { Menu, MenuLink } from '../../../ui/menu.js'
import { useMessages } from '../../i18n/messages.js'

/** Exports all matching shipments, not only the loaded rows. */
export function ExportMenu({ search }: { search: ShipmentsSearch }) {
  const m = useMessages().shipments
  const addressOf = (format: 'csv' | 'xlsx') =>
    portalAddress('exportShipments', { query: { format, ...filterOf(search) } })
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
