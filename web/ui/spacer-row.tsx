import styles from './data-table.module.css'

/** Takes the place of rows that are not rendered. */
export function SpacerRow({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden="true">
      <td className={styles.spacer} style={{ height }} />
    </tr>
  )
}
