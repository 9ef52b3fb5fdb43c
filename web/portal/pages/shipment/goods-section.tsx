import { IconAlertTriangle, IconBattery2, IconMagnet, IconStackPush, IconTemperature } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Shipment, TransportedGoods } from '../../../../src/contract/public/shipment.js'
import { Section } from '../../../ui/section.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { type Fact, Facts, isNothingKnown } from './facts.js'
import styles from './shipment.module.css'

/** Goods, value, insurance and handling. */
export function GoodsSection({ shipment }: { shipment: Shipment }) {
  const m = useMessages().shipment.goods
  const f = useFormat()
  const { cargo, transported_goods: goods, commercial_value, needs_ad_valorem_insurance } = shipment
  const facts: Fact[] = [
    [m.weight, cargo?.total_weight && f.weight(cargo.total_weight)],
    [m.volume, cargo?.total_volume && f.volume(cargo.total_volume)],
    [m.teus, cargo?.total_teus ? f.number(cargo.total_teus) : undefined],
    [m.value, commercial_value && f.money(commercial_value)],
    [m.insurance, commercial_value && (needs_ad_valorem_insurance ? m.insured : m.notInsured)],
    [m.ready, shipment.cargo_ready_date && f.day(shipment.cargo_ready_date)],
    [m.desired, shipment.desired_delivery_date && f.dayInWords(shipment.desired_delivery_date)],
    [m.instructions, shipment.specific_instructions],
  ]
  return (
    <Section title={m.title} anchor="goods">
      {!goods && isNothingKnown(facts) && <p className="soft">{m.none}</p>}
      {goods?.goods_description && <p className={styles.text}>{goods.goods_description}</p>}
      {goods && <Hazards goods={goods} />}
      <Facts facts={facts} />
    </Section>
  )
}

function Hazards({ goods }: { goods: TransportedGoods }) {
  const { shipment, statuses } = useMessages()
  const m = shipment.goods
  const { hazardous_description: hazard, lithium_packaging_type: lithium, temperature_range_description: range } = goods
  const size = { size: 16, 'aria-hidden': true } as const
  const warnings: [shown: boolean | undefined, icon: ReactNode, text: string][] = [
    [goods.is_hazardous, <IconAlertTriangle key="hazard" {...size} />, m.hazardous(hazard)],
    [
      goods.contains_lithium,
      <IconBattery2 key="lithium" {...size} />,
      m.lithium(lithium && statuses.lithiumPackaging[lithium]),
    ],
    [goods.contains_magnets, <IconMagnet key="magnets" {...size} />, m.magnets],
    [goods.needs_controlled_temperature, <IconTemperature key="range" {...size} />, m.temperature(range)],
    [goods.is_stackable === false, <IconStackPush key="stack" {...size} />, m.notStackable],
  ]
  const shown = warnings.filter(([isShown]) => isShown)
  if (shown.length === 0) return <p className={styles.unhazardous}>{m.noHazards}</p>
  return (
    <ul className={styles.hazards} aria-label={m.hazards}>
      {shown.map(([, icon, text]) => (
        <li key={text}>
          {icon}
          {text}
        </li>
      ))}
    </ul>
  )
}
