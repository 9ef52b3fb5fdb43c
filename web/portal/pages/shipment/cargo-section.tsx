import type { Container, Load, Shipment } from '../../../../src/contract/public/shipment.js'
import { AppLink } from '../../../ui/app-link.js'
import { Copyable } from '../../../ui/copyable.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './shipment.module.css'

export function CargoSection({ shipment: { cargo } }: { shipment: Shipment }) {
  const m = useMessages().shipment.cargo
  const { containers = [], loads = [] } = cargo ?? {}
  const isEmpty = containers.length === 0 && loads.length === 0
  return (
    <Section
      title={m.title}
      anchor="containers"
      aside={isEmpty ? undefined : m.counted(containers.length, loads.length)}
      isBare={!isEmpty}
    >
      {isEmpty && <p className="soft">{m.none}</p>}
      <div className={styles.tables}>
        {containers.length > 0 && <Containers containers={containers} />}
        {loads.length > 0 && <Loads loads={loads} />}
      </div>
    </Section>
  )
}

function Containers({ containers }: { containers: Container[] }) {
  const { shipment, statuses } = useMessages()
  const m = shipment.cargo
  return (
    <PlainTable
      label={m.containers}
      rows={containers.map((container, index) => ({ ...container, key: container.container_number ?? String(index) }))}
      rowKey={({ key }) => key}
      columns={[
        {
          id: 'number',
          header: m.number,
          isName: true,
          cell: ({ container_number: text }) => copyable(text, m.noNumber),
        },
        { id: 'type', header: m.type, cell: ({ container_type: type }) => type && statuses.containerType[type] },
        { id: 'seal', header: m.seal, cell: ({ seal_number }) => copyable(seal_number, '–') },
        {
          id: 'orders',
          header: m.orders,
          cell: ({ purchase_order_references }) => orderLinks(purchase_order_references),
        },
      ]}
    />
  )
}

function copyable(text: string | undefined, missing: string) {
  return text ? <Copyable text={text} /> : missing
}

function orderLinks(references: string[] = []) {
  if (references.length === 0) return '–'
  return (
    <span className={styles.links}>
      {references.map((reference) => (
        <AppLink key={reference} href={paths.order(reference)} className="mono">
          {reference}
        </AppLink>
      ))}
    </span>
  )
}

function Loads({ loads }: { loads: Load[] }) {
  const { shipment, statuses } = useMessages()
  const m = shipment.cargo
  const f = useFormat()
  const number = (count: number | undefined) => (count === undefined ? '–' : f.number(count))
  return (
    <PlainTable
      label={m.loads}
      // Loads have no identifier and a fixed order.
      rows={loads.map((load, index) => ({ ...load, key: String(index) }))}
      rowKey={({ key }) => key}
      columns={[
        {
          id: 'type',
          header: m.packaging,
          isName: true,
          cell: ({ type }) => (type ? statuses.packaging[type] : m.unknownPackaging),
        },
        { id: 'count', header: m.count, align: 'right', cell: ({ count }) => number(count) },
        { id: 'size', header: m.size, align: 'right', cell: (load) => sizeText(load, f.number) },
        { id: 'weight', header: m.weight, align: 'right', cell: ({ weight }) => (weight ? f.weight(weight) : '–') },
      ]}
    />
  )
}

function sizeText({ length, width, height }: Load, number: (n: number) => string): string {
  const sides = [length, width, height].filter((side) => side !== undefined)
  const [first] = sides
  return first === undefined ? '–' : `${sides.map(({ value }) => number(value)).join(' × ')} ${first.unit}`
}
