import { IconBookmarkPlus, IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { View } from '../../../src/contract/portal/views.js'
import { AppLink } from '../../ui/app-link.js'
import { Button, IconButton } from '../../ui/button.js'
import { Menu, MenuItem } from '../../ui/menu.js'
import { ErrorState } from '../../ui/states.js'
import { api } from '../api/client.js'
import { viewsQuery } from '../api/queries.js'
import { useMessages } from '../i18n/messages.js'
import { type Query, readSearchText } from '../paths.js'
import { queryTextOf } from './list-search.js'
import { ViewForm } from './shipments/view-form.js'
import styles from './shipments/views.module.css'

type Props = {
  page: View['page']
  /** The current search, with the saved view that it started from. */
  search: Query
  /** Views that cannot be changed. */
  builtIn: { name: string; search: Query }[]
  /** Whether the current search is within a built-in view. Default: if it is the same. */
  isWithin?(builtIn: Query): boolean
  /** Parses the parameters that the page supports. */
  read(raw: Record<string, string>): object
  pathOf(search: Query): string
  onChoose(search: Query): void
}

/** Built-in and saved views of a list. The current one may have unsaved changes. */
export function SavedViews({ page, search, builtIn, isWithin, read, pathOf, onChoose }: Props) {
  const { shipments, common } = useMessages()
  const m = shipments.views
  const { data = [] } = useQuery(viewsQuery())
  const [doing, setDoing] = useState<'saving' | 'renaming' | 'removing'>()
  const mutations = useViewMutations(page)
  const saved = data.filter((view) => view.page === page)
  const current = queryTextOf(search)
  const shown = saved.find(({ view_id }) => view_id === search.view)
  const searchOf = ({ view_id, query }: View): Query => ({ ...read(readSearchText(query)), view: view_id })
  const isChanged = shown !== undefined && queryTextOf(searchOf(shown)) !== current
  const given = shown ? undefined : builtIn.find((each) => queryTextOf(each.search) === current)
  const around = given ?? (shown ? undefined : builtIn.find((each) => isWithin?.(each.search)))
  const isNew = isChanged || (!shown && !given)
  const done = () => setDoing(undefined)

  async function save(name: string): Promise<void> {
    const { view_id } = await mutations.create(name, current)
    onChoose({ ...search, view: view_id })
    done()
  }

  async function rename(view: View, name: string): Promise<void> {
    await mutations.change(view, { name })
    done()
  }

  async function remove(view: View): Promise<void> {
    await mutations.remove(view)
    onChoose({ ...search, view: undefined })
    done()
  }

  return (
    <div className={styles.views}>
      <nav aria-label={m.label} className={styles.tabs}>
        {builtIn.map((each) => (
          <Tab key={each.name} href={pathOf(each.search)} isShown={around === each}>
            {each.name}
          </Tab>
        ))}
        {saved.map((view) => (
          <Tab key={view.view_id} href={pathOf(searchOf(view))} isShown={view === shown}>
            {view.name}
          </Tab>
        ))}
      </nav>
      {doing === undefined && (
        <div className={styles.actions}>
          {shown && (
            <ViewMenu name={shown.name} onRename={() => setDoing('renaming')} onRemove={() => setDoing('removing')} />
          )}
          {shown && isChanged && (
            <Button
              size="xs"
              variant="default"
              loading={mutations.isBusy}
              onClick={() => mutations.saveQuery(shown, current)}
            >
              {m.saveChanges}
            </Button>
          )}
          {isNew && (
            <Button
              size="xs"
              variant="subtle"
              leftSection={<IconBookmarkPlus size={16} />}
              onClick={() => setDoing('saving')}
            >
              {isChanged ? m.saveAsNew : m.save}
            </Button>
          )}
        </div>
      )}
      {doing === 'saving' && <ViewForm initial="" isBusy={mutations.isBusy} onSave={save} onCancel={done} />}
      {doing === 'renaming' && shown && (
        <ViewForm
          initial={shown.name}
          isBusy={mutations.isBusy}
          onSave={(name) => rename(shown, name)}
          onCancel={done}
        />
      )}
      {doing === 'removing' && shown && (
        <div className={styles.form} role="group" aria-label={m.removeQuestion(shown.name)}>
          <span>{m.removeQuestion(shown.name)}</span>
          <Button
            size="xs"
            color="red"
            loading={mutations.isBusy}
            // A refusal is shown below.
            onClick={() => void remove(shown).catch(() => undefined)}
          >
            {m.remove}
          </Button>
          <Button size="xs" variant="default" onClick={done}>
            {common.cancel}
          </Button>
        </div>
      )}
      {mutations.error !== null && <ErrorState error={mutations.error} />}
    </div>
  )
}

function Tab({ href, isShown, children }: { href: string; isShown: boolean; children: string }) {
  return (
    <AppLink href={href} className={styles.tab} aria-current={isShown ? 'page' : undefined}>
      {children}
    </AppLink>
  )
}

function ViewMenu({ name, onRename, onRemove }: { name: string; onRename(): void; onRemove(): void }) {
  const m = useMessages().shipments.views
  return (
    <Menu
      label={m.menu(name)}
      trigger={(trigger) => (
        <IconButton aria-label={m.menu(name)} {...trigger}>
          <IconDots size={18} />
        </IconButton>
      )}
    >
      <MenuItem icon={<IconPencil size={16} />} onClick={onRename}>
        {m.rename}
      </MenuItem>
      <MenuItem icon={<IconTrash size={16} />} tone="problem" onClick={onRemove}>
        {m.remove}
      </MenuItem>
    </Menu>
  )
}

/** Mutations of saved views. They end after the list was fetched again, so that nothing flickers. */
function useViewMutations(page: View['page']) {
  const client = useQueryClient()
  const { mutateAsync, mutate, isPending, error } = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: () => client.invalidateQueries({ queryKey: viewsQuery().queryKey }),
  })
  const update =
    ({ view_id }: View, body: { name?: string; query?: string }) =>
    () =>
      api.portal.updateView({ params: { view_id }, body })
  return {
    isBusy: isPending,
    error,
    create: (name: string, query: string) =>
      mutateAsync(() => api.portal.createView({ body: { page, name, query } })) as Promise<View>,
    change: (view: View, body: { name: string }) => mutateAsync(update(view, body)),
    saveQuery: (view: View, query: string) => mutate(update(view, { query })),
    remove: ({ view_id }: View) => mutateAsync(() => api.portal.removeView({ params: { view_id } })),
  }
}
