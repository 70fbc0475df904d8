'use client'

import { wallClock } from '@/lib/base/clocks'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { Progress } from '@/components/ui/page/progress'
import { Wait } from '@/components/ui/page/wait'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import type { FileDifference, FolderComparison } from '@/lib/client/folder/compare'
import type { FolderLink } from '@/lib/client/folder/folder-store'
import type { FolderSync } from '@/lib/client/folder/sync'
import type { Resolution } from '@/lib/client/folder/take-in'
import { trashTime, type WrittenRow } from '@/lib/client/folder/write-out'
import { trashName } from '@/lib/client/folder/scan'
import { t } from '@/lib/i18n/t'
import type { Vfs } from '@/lib/vfs/vfs'
import { useSync, type Choices } from './use-sync'
import { ConflictRow, DifferenceRow, riskText, RowList } from './sync-rows'

export interface SyncDialogProps {
  /** Records its changes as the user's. */
  readonly vfs: Vfs
  readonly link: FolderLink
  readonly onClose: () => void
}

/** Compares copy and disk: files to write, files that are new on disk, conflicts. Nothing changes without a click. */
export default function SyncDialog({ vfs, link, onClose }: SyncDialogProps) {
  const { sync, step, problem, compare, goOn, bringIn, write } = useSync({ vfs, link })
  const name = asUntrusted(link.name)
  const title = t('files-folder.sync-title', { name })
  return (
    // Closing the dialog does not stop a write that has begun. It finishes in the background, and the journal records
    // it.
    <Dialog label={labelOf(title)} onClose={onClose}>
      <h2>
        <SentenceText text={title} />
      </h2>
      {step.at === 'compare' ? (
        <Wait className="mt-1" what={t('files-folder.comparing', { name, files: step.files })} />
      ) : null}
      {step.at === 'ask' ? <Progress what={t('files-folder.asking', { name })} done={0} of={null} /> : null}
      {step.at === 'write' ? (
        <Progress
          what={t('files-folder.writing', { name, done: step.done, all: step.of })}
          done={step.done}
          of={step.of}
        />
      ) : null}
      {problem === null ? null : (
        <p role="alert" className="text-danger">
          <SentenceText text={problem} />
        </p>
      )}
      {step.at === 'compared' ? (
        <Compared found={step.found} link={link} sync={sync} onBringIn={bringIn} onWrite={write} onClose={onClose} />
      ) : null}
      {step.at === 'interrupted' ? (
        <>
          <p role="alert">
            <SentenceText
              text={t('files-folder.interrupted', {
                name,
                done: step.state.written.length,
                all: step.state.written.length + step.state.unwritten.length + step.state.unclear.length,
              })}
            />
          </p>
          <RowList label={t('files-folder.journal')}>
            {(['written', 'unwritten', 'unclear'] as const).flatMap((fate) =>
              step.state[fate].map(({ path }) => (
                <Fate key={path} path={path} words={t(`files-folder.journal-fate.${fate}`)} />
              )),
            )}
          </RowList>
          <DialogFoot>
            <Button look="quiet" onClick={onClose}>
              {t('files-folder.close')}
            </Button>
            <Button look="ink" onClick={() => goOn(step.state)}>
              {t('files-folder.continue')}
            </Button>
          </DialogFoot>
        </>
      ) : null}
      {step.at === 'written' ? (
        <>
          <p role="status">
            <SentenceText text={writtenWords(step.rows, name)} />
          </p>
          <RowList label={t('files-folder.results')}>
            {step.rows.map(({ path, outcome }) => (
              <Fate key={path} path={path} words={t(`files-folder.outcome.${outcome}`)} />
            ))}
          </RowList>
          <DialogFoot>
            <Button onClick={compare}>{t('files-folder.compare-again')}</Button>
            <Button look="ink" onClick={onClose}>
              {t('files-folder.done')}
            </Button>
          </DialogFoot>
        </>
      ) : null}
      {step.at === 'failed' ? (
        <>
          <p role="alert" className="text-danger">
            <SentenceText text={step.words} />
          </p>
          <DialogFoot>
            <Button look="quiet" onClick={onClose}>
              {t('files-folder.close')}
            </Button>
            <Button look="ink" onClick={compare}>
              {t('files-folder.again')}
            </Button>
          </DialogFoot>
        </>
      ) : null}
      {step.at === 'compare' || step.at === 'ask' || step.at === 'write' ? (
        <DialogFoot>
          <Button look="quiet" onClick={onClose}>
            {t('files-folder.close')}
          </Button>
        </DialogFoot>
      ) : null}
    </Dialog>
  )
}

const isDone = ({ outcome }: WrittenRow) => outcome === 'written' || outcome === 'deleted'
const writtenWords = (rows: readonly WrittenRow[], name: ReturnType<typeof asUntrusted>): string => {
  const count = rows.filter(isDone).length
  return count === rows.length
    ? t('files-folder.written', { count, name })
    : t('files-folder.written-some', { count, all: rows.length, name })
}

const Fate = ({ path, words }: { readonly path: string; readonly words: string }) => (
  <li className="flex justify-between gap-3 px-3 py-1">
    <span className="min-w-0 font-mono text-mono">
      <ForeignText text={path} />
    </span>
    <span className="text-end text-muted">{words}</span>
  </li>
)

interface ComparedProps {
  readonly found: FolderComparison
  readonly link: FolderLink
  readonly sync: FolderSync
  readonly onBringIn: (rows: readonly FileDifference[], settled: Choices) => void
  readonly onWrite: (rows: readonly FileDifference[], settled: Choices) => void
  readonly onClose: () => void
}

function Compared({ found, link, sync, onBringIn, onWrite, onClose }: ComparedProps) {
  const { outgoing, incoming, conflicts, blocked, isCopyGone, scan } = found
  // A name that fails on another system is written only if the user selects it.
  const [left, setLeft] = useState(() => new Set(outgoing.flatMap(({ path, risk }) => (risk ? [path] : []))))
  const [choices, setChoices] = useState<ReadonlyMap<string, Resolution | null>>(new Map())
  const name = asUntrusted(link.name)
  const chosen = outgoing.filter(({ path }) => !left.has(path))
  const settled = conflicts.flatMap((row) => {
    const choice = choices.get(row.path)
    return choice ? [[row, choice] as const] : []
  })
  const writes = chosen.length + settled.filter(([, choice]) => choice !== 'theirs').length
  const comes = incoming.length + settled.filter(([, choice]) => choice !== 'mine').length
  const deletes = chosen.some(({ mine }) => mine === null)
  const toggle = (path: string, on: boolean) => {
    const next = new Set(left)
    if (on) next.delete(path)
    else next.add(path)
    setLeft(next)
  }
  const isSame = !isCopyGone && outgoing.length + incoming.length + conflicts.length + blocked.length === 0
  return (
    <>
      {isCopyGone ? (
        <p role="alert">
          <SentenceText text={t('files-folder.copy-gone', { root: asUntrusted(link.root) })} />
        </p>
      ) : null}
      {isSame ? <p role="status">{t('files-folder.same')}</p> : null}
      {scan.over === null ? null : (
        <p role="alert">
          <SentenceText text={t('files-folder.grown', { name })} />
        </p>
      )}
      {conflicts.length > 0 ? (
        <RowList label={t('files-folder.conflicts')} about={t('files-folder.conflicts-about')}>
          {conflicts.map((row) => (
            <ConflictRow
              key={row.path}
              row={row}
              sync={sync}
              choice={choices.get(row.path) ?? null}
              onChoose={(choice) => setChoices(new Map([...choices, [row.path, choice]]))}
            />
          ))}
        </RowList>
      ) : null}
      {outgoing.length > 0 ? (
        <RowList label={t('files-folder.outgoing')}>
          {outgoing.map((row) => (
            <DifferenceRow
              key={row.path}
              row={row}
              sides={['theirs', 'mine']}
              sync={sync}
              note={row.risk && riskText(row.risk)}
              isChosen={!left.has(row.path)}
              onChoose={(on) => toggle(row.path, on)}
            />
          ))}
        </RowList>
      ) : null}
      {incoming.length > 0 ? (
        <RowList label={t('files-folder.incoming')}>
          {incoming.map((row) => (
            <DifferenceRow key={row.path} row={row} sides={['mine', 'theirs']} sync={sync} />
          ))}
        </RowList>
      ) : null}
      {blocked.length > 0 ? (
        <RowList label={t('files-folder.blocked')}>
          {blocked.map(({ path, why }) => (
            <Fate key={path} path={path} words={t(`files-folder.blocked-why.${why}`)} />
          ))}
        </RowList>
      ) : null}
      {deletes ? (
        <p className="text-sm text-muted">
          <SentenceText
            text={t('files-folder.trash', { folder: asUntrusted(`${trashName}/${trashTime(wallClock())}`) })}
          />
        </p>
      ) : null}
      <DialogFoot>
        <Button look="quiet" onClick={onClose}>
          {t('files-folder.close')}
        </Button>
        {comes > 0 ? (
          <Button onClick={() => onBringIn(incoming, settled)}>{t('files-folder.bring-in', { count: comes })}</Button>
        ) : null}
        {writes > 0 ? (
          <Button look="ink" onClick={() => onWrite(chosen, settled)}>
            <span>
              <SentenceText text={t('files-folder.write', { count: writes, name })} />
            </span>
          </Button>
        ) : null}
      </DialogFoot>
    </>
  )
}
