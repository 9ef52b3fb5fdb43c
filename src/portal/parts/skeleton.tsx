import styles from './skeleton.module.css'

type Props = { height: number; width?: string | number; mt?: number }

/** The place of something that is on its way. */
export function Skeleton({ height, width = '100%', mt = 0 }: Props) {
  return <div className={styles.skeleton} style={{ height, width, marginTop: mt }} />
}
