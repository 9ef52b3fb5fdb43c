import { IconAlertTriangle } from '@tabler/icons-react'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Button } from '../../../ui/button.js'
import { Copyable } from '../../../ui/copyable.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './file.module.css'
import units from './units.module.css'
import { useNumberWarning } from './units-form.js'

/** The containers of a shipment with their seals. Numbers that look wrong are marked. */
export function UnitsSection({ shipment, onEdit }: { shipment: Shipment; onEdit: (() => void) | undefined }) {
  const { file: m } = useOfficeMessages()
  const { statuses } = useMessages()
  const warningOf = useNumberWarning()
  const containers = shipment.cargo?.containers ?? []
  return (
    <Section
      title={m.units}
      anchor="units"
      isBare={containers.length > 0}
      aside={
        onEdit && (
          <Button size="xs" variant="default" onClick={onEdit}>
            {m.editUnits} <kbd className={styles.key}>u</kbd>
          </Button>
        )
      }
    >
      {containers.length === 0 ? (
        <p className="soft">{m.noUnits}</p>
      ) : (
        <PlainTable
          label={m.units}
          // A number may be stored twice.
          rows={containers.map((container, index) => ({ ...container, key: String(index) }))}
          rowKey={({ key }) => key}
          columns={[
            {
              id: 'number',
              header: m.number,
              isName: true,
              cell: ({ container_number: number }) =>
                number ? (
                  <>
                    <Copyable text={number} />
                    <NumberWarning text={warningOf(number)} />
                  </>
                ) : (
                  '–'
                ),
            },
            { id: 'type', header: m.type, cell: ({ container_type: type }) => type && statuses.containerType[type] },
            { id: 'seal', header: m.seal, cell: ({ seal_number }) => seal_number && <Copyable text={seal_number} /> },
          ]}
        />
      )}
    </Section>
  )
}

function NumberWarning({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <span className={units.warning}>
      <IconAlertTriangle size={14} aria-hidden="true" /> {text}
    </span>
  )
}
