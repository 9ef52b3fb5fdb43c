import { useEffect, useRef, useState } from 'react'
import { useAddressQuery } from '../../../ui/address-query.js'
import { Button } from '../../../ui/button.js'
import { LoadMore } from '../../../ui/load-more.js'
import { Page } from '../../../ui/page.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { ActionsContext, morning, useActionState } from '../../actions/use-actions.js'
import { useMayDo, useOperator } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { CodePanel } from './code-panel.js'
import { ConversationPanel } from './conversation-panel.js'
import { acceptProposal, DocumentPanel } from './document-panel.js'
import { ExceptionPanel } from './exception-panel.js'
import { Filters } from './filters.js'
import { ItemBadge, useItemTexts } from './item-texts.js'
import { MessagePanel } from './message-panel.js'
import { Queue } from './queue.js'
import styles from './work.module.css'
import { useWork, type WorkItem } from './work-items.js'
import { isFiltered, readWorkSearch, unfiltered } from './work-search.js'

/** One queue over all customers, and what can be done with each item. */
export function WorkPage() {
  const { work: m } = useOfficeMessages()
  const [search, change] = useAddressQuery(readWorkSearch)
  const { items, isLoading, error, hasMore, loadMore, retry } = useWork(search)
  const { actions, outcome } = useActionState()
  const mayOperate = useMayDo('operate')
  const active = useActiveItem(items, search.item)
  const [chosen, setChosen] = useState<Set<string>>(new Set())
  // What has left the queue is not selected any more.
  const selected = new Set(items.filter(({ key }) => chosen.has(key)).map(({ key }) => key))
  const select = ({ key, type }: WorkItem) => {
    if (type !== 'exception' || !mayOperate) return
    setChosen(selected.has(key) ? new Set([...selected].filter((other) => other !== key)) : new Set([...selected, key]))
  }
  const open = (item: WorkItem | undefined) => item && change({ item: item.key })
  useQueueKeys({ items, active, selected, open, select, actions, mayOperate })

  const count = `${items.length}${hasMore ? '+' : ''}`
  return (
    <ActionsContext value={actions}>
      <Page
        title={m.title}
        documentTitle={isLoading ? m.title : m.count(count, m.title)}
        lead={isLoading ? undefined : m.lead(items.length, hasMore)}
        isLoading={isLoading}
      >
        <Filters search={search} change={(changed) => change({ ...changed, item: undefined } as never)} />
        {selected.size > 0 && (
          <SelectionBar items={items.filter(({ key }) => selected.has(key))} clear={() => setChosen(new Set())} />
        )}
        {outcome}
        {error && items.length === 0 ? (
          <div className="panel">
            <ErrorState error={error} retry={retry} />
          </div>
        ) : isLoading && items.length === 0 ? (
          <TableSkeleton rows={10} columns={5} />
        ) : items.length === 0 && !hasMore ? (
          <div className="panel">
            <EmptyState
              title={m.empty}
              text={isFiltered(search) ? m.emptyFiltered : m.emptyText}
              action={
                isFiltered(search) && (
                  <Button variant="default" onClick={() => change(unfiltered)}>
                    {m.clearFilters}
                  </Button>
                )
              }
            />
          </div>
        ) : (
          <div className={styles.columns}>
            <div className={styles.list}>
              <Queue {...{ items, active, selected, isSelectable: mayOperate }} onOpen={open} onSelect={select} />
              {hasMore && !isLoading && <LoadMore count={items.length} loadMore={loadMore} />}
            </div>
            {active && <ItemPanel item={active} isChosen={search.item !== undefined} />}
          </div>
        )}
      </Page>
    </ActionsContext>
  )
}

/** The item of the address, or the one that took its place. */
function useActiveItem(items: WorkItem[], key: string | undefined): WorkItem | undefined {
  const place = useRef(0)
  const index = items.findIndex((item) => item.key === key)
  const active = items[index] ?? items[Math.min(place.current, items.length - 1)]
  useEffect(() => {
    if (active) place.current = items.indexOf(active)
  })
  return active
}

type QueueKeys = {
  items: WorkItem[]
  active: WorkItem | undefined
  selected: Set<string>
  open: (item: WorkItem | undefined) => void
  select: (item: WorkItem) => void
  actions: ReturnType<typeof useActionState>['actions']
  mayOperate: boolean
}

function useQueueKeys({ items, active, selected, open, select, actions, mayOperate }: QueueKeys): void {
  const { work: m } = useOfficeMessages()
  const { name } = useOperator()
  const move = (by: number) => active && open(items[items.indexOf(active) + by])
  // Of the selected ones, or of the open one.
  const exceptions = items
    .filter(({ key }) => (selected.size > 0 ? selected.has(key) : key === active?.key))
    .flatMap((item) => (item.type === 'exception' ? [item.exception] : []))
  const decide = () => {
    if (exceptions.length > 0) void actions.act(exceptions, { action: 'acknowledge' })
    else if (active?.type === 'document') void acceptProposal(actions, m, active.document)
    // Messages and codes need a choice.
    else document.querySelector<HTMLElement>(`.${styles.panel} :is(button, select)`)?.focus()
  }
  const writes = {
    e: decide,
    x: () => active && select(active),
    m: () => exceptions.length > 0 && void actions.act(exceptions, { action: 'assign', owner: name }),
    s: () => exceptions.length > 0 && void actions.act(exceptions, { action: 'snooze', until: morning(1) }),
    z: actions.undo,
  }
  useKeys({
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    ...(mayOperate ? writes : {}),
  })
}

function SelectionBar({ items, clear }: { items: WorkItem[]; clear: () => void }) {
  const { work: m } = useOfficeMessages()
  const { name } = useOperator()
  return (
    <ActionsContext.Consumer>
      {(actions) => {
        const exceptions = items.flatMap((item) => (item.type === 'exception' ? [item.exception] : []))
        const buttons = [
          [m.acknowledge, { action: 'acknowledge' }],
          [m.assignToMe, { action: 'assign', owner: name }],
          [m.snooze, { action: 'snooze', until: morning(1) }],
        ] as const
        return (
          <div className={styles.selection}>
            <span className="strong">{m.selected(exceptions.length)}</span>
            {buttons.map(([text, acting]) => (
              <Button
                key={text}
                size="xs"
                variant="default"
                disabled={actions?.isBusy ?? false}
                onClick={() => void actions?.act(exceptions, acting).then((isDone) => isDone && clear())}
              >
                {text}
              </Button>
            ))}
            <Button size="xs" variant="subtle" onClick={clear}>
              {m.clearSelection}
            </Button>
          </div>
        )
      }}
    </ActionsContext.Consumer>
  )
}

function ItemPanel({ item, isChosen }: { item: WorkItem; isChosen: boolean }) {
  const { work: m } = useOfficeMessages()
  const { title } = useItemTexts()(item)
  return (
    <aside className={`panel ${styles.panel}`} data-chosen={isChosen} aria-label={m.details} key={item.key}>
      <ItemBadge item={item} />
      {(item.type === 'code' || item.type === 'document') && <h2 className={styles.heading}>{title}</h2>}
      {item.type === 'exception' && <ExceptionPanel item={item} />}
      {item.type === 'message' && <MessagePanel item={item} />}
      {item.type === 'code' && <CodePanel item={item} />}
      {item.type === 'document' && <DocumentPanel item={item} />}
      {item.type === 'conversation' && <ConversationPanel item={item} />}
    </aside>
  )
}
