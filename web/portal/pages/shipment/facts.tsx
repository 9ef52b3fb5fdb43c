import type { ReactNode } from 'react'
import styles from './shipment.module.css'

export type Fact = [label: string, value: ReactNode]

/** A list of labels and values. Unknown values are left out. */
export function Facts({ facts }: { facts: Fact[] }) {
  const known = facts.filter(([, value]) => value !== undefined && value !== null && value !== '')
  if (known.length === 0) return null
  return (
    <dl className={styles.facts}>
      {known.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function isNothingKnown(facts: Fact[]): boolean {
  return facts.every(([, value]) => value === undefined || value === null || value === '')
}
