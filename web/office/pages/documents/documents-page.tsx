import { useEffect, useRef } from 'react'
import { Button } from '../../../ui/button.js'
import { Page } from '../../../ui/page.js'
import { Section } from '../../../ui/section.js'
import actionStyles from '../../actions/actions.module.css'
import { ActionsContext, useActionState } from '../../actions/use-actions.js'
import { ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { addFiles, clearFiled, type DeskFile, fileDocument, isFileable, putBack, useDesk } from './desk.js'
import { DeskList } from './desk-list.js'
import { DropZone } from './drop-zone.js'
import { MissingDocuments } from './missing-documents.js'
import { NeededDocuments } from './needed-documents.js'
import { Proposals } from './proposals.js'

/** Files to be filed, documents that are missing, and what customers have sent. */
export function DocumentsPage() {
  const { documents: m } = useOfficeMessages()
  const { actions, outcome } = useActionState()
  const mayOperate = useMayDo('operate')
  const files = useDesk()
  const input = useRef<HTMLInputElement>(null)
  const fileable = files.filter(isFileable)
  useLeaveWarning(files.some(({ state }) => state !== 'filed'))

  const fileAll = () =>
    void actions.run(async () => {
      const filed = await fileEach(fileable)
      const failed = fileable.length - filed.length
      const undo = async () => {
        for (const row of filed) await withdraw(row)
        putBack(filed.map(({ id }) => id))
      }
      return { text: m.filed(filed.length, failed), undo: filed.length > 0 ? undo : undefined }
    })
  useKeys({
    u: mayOperate ? () => input.current?.click() : undefined,
    f: mayOperate && !actions.isBusy && fileable.length > 0 ? fileAll : undefined,
    z: actions.undo,
  })

  return (
    <ActionsContext value={actions}>
      <Page title={m.title} lead={files.length === 0 ? m.lead : m.onDesk(files.length, fileable.length)}>
        {mayOperate && <DropZone input={input} onAdd={addFiles} />}
        {outcome}
        {files.length > 0 && (
          <Section
            title={m.desk}
            isBare
            aside={
              <div className={actionStyles.actions}>
                {files.some(({ state }) => state === 'filed') && (
                  <Button size="xs" variant="default" disabled={actions.isBusy} onClick={clearFiled}>
                    {m.clear}
                  </Button>
                )}
                <Button size="xs" disabled={fileable.length === 0} loading={actions.isBusy} onClick={fileAll}>
                  {m.fileAll(fileable.length)} <kbd>f</kbd>
                </Button>
              </div>
            }
          >
            <DeskList files={files} />
          </Section>
        )}
        <MissingDocuments />
        <NeededDocuments />
        <Proposals />
      </Page>
    </ActionsContext>
  )
}

const atOnce = 3

/** Files a few at a time; resolves to those that were filed. */
async function fileEach(rows: DeskFile[]): Promise<DeskFile[]> {
  const left = [...rows]
  const filed: DeskFile[] = []
  const work = async () => {
    for (let row = left.shift(); row; row = left.shift()) if (await fileDocument(row)) filed.push(row)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return filed
}

function withdraw({ id, target }: DeskFile) {
  const [account = ''] = target.split('\n')
  return ops.withdrawDocument({ params: { account, id } })
}

/** A reload would lose the files. */
function useLeaveWarning(hasFiles: boolean): void {
  useEffect(() => {
    if (!hasFiles) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [hasFiles])
}
