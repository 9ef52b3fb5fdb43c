import { WaybillError } from '../../../client/client.js'
import { useMessages } from '../../i18n/messages.js'
import { Button } from '../../parts/button.js'
import { Copyable } from '../../parts/copyable.js'
import { explain } from '../../parts/states.js'
import styles from './shipment.module.css'

/** What a part of the page could not show, in its place: the rest of the page goes on. */
export function PartError({ error, retry }: { error: unknown; retry?: () => void }) {
  const m = useMessages()
  const { what, remedy } = explain(error, m)
  return (
    <div role="alert" className={styles.partError}>
      <p>
        <span className="strong">{what}.</span> <span className="soft">{remedy}</span>
      </p>
      <p className="small soft">
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {m.common.retry}
          </Button>
        )}
        {error instanceof WaybillError && (
          <span>
            {m.common.requestId} <Copyable text={error.problem.request_id} />
          </span>
        )}
      </p>
    </div>
  )
}
