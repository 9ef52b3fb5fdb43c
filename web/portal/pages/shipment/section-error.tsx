import { WaybillError } from '../../../../src/client/response.js'
import { Button } from '../../../ui/button.js'
import { Copyable } from '../../../ui/copyable.js'
import { explain } from '../../../ui/states.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './shipment.module.css'

/** The error of one section; the others are not affected. */
export function SectionError({ error, retry }: { error: unknown; retry?: () => void }) {
  const m = useMessages()
  const { what, remedy } = explain(error, m)
  return (
    <div role="alert" className={styles.sectionError}>
      <p>
        <span className="strong">{what}.</span> <span className="soft">{remedy}</span>
      </p>
      <p className="small soft">
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {m.common.retry}
          </Button>
        )}
        {error instanceof WaybillError && error.requestId && (
          <span>
            {m.common.requestId} <Copyable text={error.requestId} />
          </span>
        )}
      </p>
    </div>
  )
}
