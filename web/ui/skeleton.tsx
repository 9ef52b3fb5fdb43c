import styles from './skeleton.module.css'

type Props = { height: number; width?: string | number; mt?: number }

/** Placeholder of content that is loading. */
export function Skeleton({ height, width = '100%', mt = 0 }: Props) {
  return <div className={styles.skeleton} style={{ height, width, marginTop: mt }} />
}
