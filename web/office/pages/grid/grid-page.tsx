import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useAddressQuery } from '../../../ui/address-query.js'
import { BackLink } from '../../../ui/back-link.js'
import { Button } from '../../../ui/button.js'
import { Notice } from '../../../ui/notice.js'
import { Page } from '../../../ui/page.js'
import { EmptyState, ErrorState } from '../../../ui/states.js'
import { ActionsContext, useActionState, useActions } from '../../actions/use-actions.js'
import { type FoundShipment, shipmentsQuery, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { paths } from '../../paths.js'
import { columnFields, type FieldName, type Values } from '../shipment/shipment-fields.js'
import { ShipmentFilters } from '../shipments/filters.js'
import { queryOf, readOfficeShipmentsSearch } from '../shipments/search.js'
import { type Edit, rowKeyOf, storedValues } from './edits.js'
import { Grid } from './grid.js'
import styles from './grid.module.css'
import { Review } from './review.js'
import { useEdits } from './use-edits.js'
import { checkEdits, isConflict, type Outcomes, reversed, withoutStored, writeEdits } from './write-changes.js'

const mostRows = 5000

/** Shipments of all customers in a grid, for changing many at once. */
export function GridPage() {
  const { actions, outcome } = useActionState()
  return (
    <ActionsContext value={actions}>
      <EditableShipments />
      {outcome}
    </ActionsContext>
  )
}

function EditableShipments() {
  const { grid: m, shipments: list } = useOfficeMessages()
  const [search, change] = useAddressQuery(readOfficeShipmentsSearch)
  const found = useInfiniteQuery(shipmentsQuery(queryOf(search), 100))
  const rows = useMemo(() => found.data?.pages.flatMap((page) => page.shipments) ?? [], [found.data])
  const { edits, change: edit, undo, redo, reset, canUndo } = useEdits()
  const { run, isBusy, undo: takeBack } = useActions()
  const mayEdit = useMayDo('operate')
  const customer = search.account === undefined ? undefined : rows[0]?.account_name
  const [checked, setChecked] = useState<{ edits: Edit[]; outcomes: Outcomes }>()
  const [leftOut, setLeftOut] = useState(0)
  const edited = Object.values(edits)
  const changed = useChangedMeanwhile(rows)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = found
  // All of them: a pasted block may be longer than what is in sight.
  const isLoadingRows = hasNextPage && !isFetchNextPageError && rows.length < mostRows
  useEffect(() => {
    if (isLoadingRows && !isFetchingNextPage) void fetchNextPage({ cancelRefetch: false })
  }, [isLoadingRows, isFetchingNextPage, fetchNextPage])

  const review = () => {
    if (edited.length === 0) return
    void run(async () => {
      setChecked({ edits: edited, outcomes: await checkEdits(edited) })
      return { text: '' }
    })
  }
  const write = (wanted: Edit[]) =>
    void run(async () => {
      const outcomes = await writeEdits(wanted)
      setChecked(undefined)
      reset(withoutStored(edits, outcomes))
      const results = [...outcomes.values()]
      const stored = results.filter((each) => each.outcome !== 'refused').length
      const conflicts = results.filter(isConflict).length
      const back = reversed(wanted, outcomes)
      const text = [m.written(stored), ...(conflicts > 0 ? [m.conflicts(conflicts)] : [])].join(' ')
      return { text, undo: back.length > 0 ? () => writeEdits(back) : undefined }
    })
  useKeys({ z: takeBack })

  return (
    <Page
      title={m.title}
      lead={
        !found.data
          ? m.loading
          : customer === undefined
            ? list.lead(rows.length, hasNextPage)
            : list.leadOf(rows.length, hasNextPage, customer)
      }
      isLoading={found.isPending}
      back={<BackLink path={paths.shipments()}>{list.title}</BackLink>}
      actions={
        mayEdit && (
          <>
            {canUndo && (
              <Button variant="default" onClick={undo}>
                {m.undo}
              </Button>
            )}
            {edited.length > 0 && (
              <Button variant="default" onClick={() => reset({})}>
                {m.discard}
              </Button>
            )}
            <Button loading={isBusy} disabled={edited.length === 0} onClick={review}>
              {m.reviewCount(edited.length)}
            </Button>
          </>
        )
      }
    >
      <div className={styles.tools}>
        <ShipmentFilters search={search} onChange={(next) => change(next, { replace: false })} />
      </div>
      {leftOut > 0 && (
        <Notice tone="warning" role="status" onClose={() => setLeftOut(0)}>
          {m.leftOut(leftOut)}
        </Notice>
      )}
      {hasNextPage && rows.length >= mostRows && <Notice tone="warning">{m.tooMany(mostRows)}</Notice>}
      {isFetchNextPageError && <ErrorState error={found.error} retry={() => void fetchNextPage()} />}
      {!mayEdit && <Notice tone="locked">{m.readOnly}</Notice>}
      {found.isError && rows.length === 0 ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : found.data && rows.length === 0 ? (
        <EmptyState title={m.none} text={m.noneText} />
      ) : (
        // Ctrl Enter in the grid goes on to the review.
        <div
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) review()
          }}
        >
          <Grid
            rows={rows}
            edits={edits}
            changed={changed}
            isReadOnly={!mayEdit}
            onChange={edit}
            onUndo={undo}
            onRedo={redo}
            onLeftOut={setLeftOut}
          />
        </div>
      )}
      {checked && <Review {...checked} isBusy={isBusy} onWrite={write} onClose={() => setChecked(undefined)} />}
    </Page>
  )
}

/** The fields of each row that differ from what was on the screen first. */
function useChangedMeanwhile(rows: FoundShipment[]): ReadonlyMap<string, FieldName[]> {
  const [seen] = useState(() => new Map<string, { revision: number; values: Values }>())
  return useMemo(() => {
    const changed = new Map<string, FieldName[]>()
    for (const row of rows) {
      const key = rowKeyOf(row)
      const first = seen.get(key)
      if (!first) seen.set(key, { revision: row.revision, values: storedValues(row) })
      else if (first.revision !== row.revision) {
        const values = storedValues(row)
        changed.set(
          key,
          columnFields.map(({ text }) => text).filter((text) => values[text] !== first.values[text]),
        )
      }
    }
    return changed
  }, [rows, seen])
}
