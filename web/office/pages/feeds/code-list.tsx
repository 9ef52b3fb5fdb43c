import { useInfiniteQuery } from '@tanstack/react-query'
import type { SenderCode } from '../../../../src/contract/operator/codes.js'
import lists from '../../../portal/pages/lists.module.css'
import { Button } from '../../../ui/button.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { LoadMore } from '../../../ui/load-more.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { useActions } from '../../actions/use-actions.js'
import { codesQuery, ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { CodePanel } from '../my-work/code-panel.js'
import { codeItem } from '../my-work/work-items.js'
import { DetailTable } from './detail-table.js'
import { codeStates, type FeedsSearch } from './feeds-search.js'

type Props = { search: FeedsSearch; change: (change: Partial<FeedsSearch>) => void }

const keyOf = ({ sender, format, code }: SenderCode) => `${sender} ${format} ${code}`

/** Codes of senders, and what they mean. */
export function CodeList({ search, change }: Props) {
  const { feeds: m } = useOfficeMessages()
  const { state } = search
  const query = { ...(state && { state }) }
  const found = useInfiniteQuery(codesQuery(query))
  const rows = found.data?.pages.flatMap((page) => page.codes) ?? []
  const open = rows.find((row) => keyOf(row) === search.item)
  return (
    <>
      <div className={lists.filters}>
        <FilterMenu
          label={m.codeState}
          value={state}
          options={codeStates.map((value) => ({ value, label: m.codeStates[value] }))}
          onChange={(value) => change({ state: value as FeedsSearch['state'], item: undefined })}
        />
      </div>
      {found.error && !found.data ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : found.isPending ? (
        <TableSkeleton rows={8} columns={4} />
      ) : rows.length === 0 ? (
        <div className="panel">
          <EmptyState title={m.noCodes} text={m.noCodesText} />
        </div>
      ) : (
        <DetailTable
          label={m.shows.codes}
          rows={rows}
          rowKey={keyOf}
          versionOf={({ mapped_to, mapped_status }) => `${mapped_to} ${mapped_status}`}
          list={found.isPlaceholderData ? undefined : JSON.stringify(query)}
          isComplete={!found.hasNextPage}
          open={open}
          onOpen={(row) => change({ item: keyOf(row) })}
          nameHeader={m.code}
          nameOf={({ code, text }) => (text ? `${code}: ${text}` : code)}
          columns={[
            { header: m.sender, cell: ({ sender, format }) => `${sender} · ${format}` },
            {
              header: m.means,
              cell: ({ mapped_to }) => (mapped_to === undefined ? m.codeStates.unknown : m.codes[mapped_to]),
            },
            { header: m.seen, cell: ({ count }) => m.eventCount(count) },
          ]}
          detail={
            open && (
              <>
                <CodePanel item={codeItem(open)} />
                {open.mapped_to !== undefined && <Unmap code={open} />}
              </>
            )
          }
        />
      )}
      {found.hasNextPage && <LoadMore count={rows.length} loadMore={() => void found.fetchNextPage()} />}
    </>
  )
}

function Unmap({ code: { sender, format, code, mapped_to, mapped_status } }: { code: SenderCode }) {
  const { feeds: m } = useOfficeMessages()
  const { run, isBusy } = useActions()
  const mayOperate = useMayDo('operate')
  if (!mayOperate || mapped_to === undefined) return null
  const params = { sender, format, code }
  const unmap = () =>
    run(async () => {
      await ops.unmapCode({ params })
      const undo = () => ops.mapCode({ params, body: { mapped_to, ...(mapped_status && { mapped_status }) } })
      return { text: m.unmapped(code), undo }
    })
  return (
    <Button size="xs" variant="default" disabled={isBusy} onClick={() => void unmap()}>
      {m.unmap}
    </Button>
  )
}
