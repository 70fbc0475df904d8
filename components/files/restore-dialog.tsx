'use client'

import { failures } from '@/lib/vfs/vfs'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { useEffect, useId, useMemo, useState } from 'react'
import { useOlder, useOlderStatus } from '@/components/context/use-older'
import { useChatActions, useClientStore, useConversation } from '@/components/context/chat-context'
import { Button, TextButton } from '@/components/ui/controls/button'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { RadioList } from '@/components/ui/forms/radio-list'
import { Select } from '@/components/ui/forms/select'
import { Wait } from '@/components/ui/page/wait'
import { t } from '@/lib/i18n/t'
import { isHere } from '@/lib/shared/conversation/message-tree'
import { hasText } from '@/lib/shared/conversation/outline'
import { withoutMarks } from '@/lib/protocols/framed-calls/frame'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import type { ChangeSet } from '@/lib/vfs/vfs-history'
import { branchFollower } from '@/lib/client/wiring/files/branch-follower.browser'
import type { BranchFollower } from '@/lib/client/files/follow-branch'
import type { HistoryWatch } from '@/lib/client/files/history/history-watch'
import { lowestPaths } from '@/lib/client/files/history/change-groups'
import { setsAfter, activeChanges, previewMove, type PreviewedPath } from '@/lib/client/files/history/restore-point'
import { restore, type RestoreWhat, restorePoints, type RestorePoint } from '@/lib/client/files/restore'
import { PathLine } from './changes/move-notes'
import { useHistory } from './use-history'

export interface RestoreDialogProps {
  readonly conversationId: string
  /** Left out: the user chooses one from a list. */
  readonly messageId?: string
  readonly onClose: () => void
  /** Left out: the page's own. */
  readonly follower?: BranchFollower
}

const MAX_PATHS = 200
/** The most older messages that are loaded at once. */
const MAX_OLDER = 100

/** Asks what to restore to a message (files, chat or both) and says what that will change. */
export default function RestoreDialog({ conversationId, messageId, onClose, follower }: RestoreDialogProps) {
  const title = useId()
  const path = useConversation((view) => view.path)
  const tree = useConversation((view) => view.tree)
  const running = useConversation((view) =>
    [...view.live.values()].some((live) => !live.outcome && !live.problem && !live.queued),
  )
  const older = useOlder()
  const absent = useMemo(() => path.flatMap((row) => (isHere(row) ? [] : [row.id])).slice(-MAX_OLDER), [path])
  const { loading, problem: notListed } = useOlderStatus()
  const points = useMemo(() => restorePoints(path, withoutMarks), [path])
  const [chosen, setChosen] = useState(messageId ?? points.findLast(({ draft }) => draft !== null)?.messageId ?? '')
  const [what, setWhat] = useState<RestoreWhat>('both')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { sets, watch, phase } = useHistory(conversationId)
  const actions = useChatActions()
  const store = useClientStore()
  const point = points.find((one) => one.messageId === chosen)
  const back = useMemo(() => (point ? activeChanges(setsAfter(sets, tree, point.head)) : []), [sets, tree, point])
  const preview = usePreview(watch, back)
  const files = lowestPaths((preview?.ok ? preview.value : []).map((one) => one.path))
  const start = point ? path.findIndex(({ id }) => id === point.head) + 1 : path.length
  const after = path.slice(start).filter((row) => row.role === 'assistant' || hasText(row)).length

  const go = async () => {
    if (!point) return
    setBusy(true)
    const problemNow = await restore(
      {
        setUndone: (which, undone) => (watch ? watch.setUndone(which, undone) : Promise.resolve(failures.unreadable())),
        goBackTo: actions.goBackTo,
        follower: follower ?? branchFollower(store),
      },
      { what, head: point.head, sets: back },
    ).catch(() => t('files-changes.browser-failed'))
    setBusy(false)
    setProblem(problemNow)
    if (problemNow !== null) return
    if (what !== 'files' && point.draft) actions.addToDraft(point.draft)
    onClose()
  }
  const filesWords =
    phase === 'loading'
      ? t('file-changes.looking')
      : files.length === 0
        ? t('files-restore.no-file')
        : t('files-restore.files-go', { count: files.length })
  const chatWords = t('files-restore.messages-go', { count: after })
  return (
    <Dialog label={t('files-restore.title')} onClose={onClose}>
      <h2 id={title}>{t('files-restore.title')}</h2>
      {messageId === undefined ? (
        <Select
          label={t('files-restore.message')}
          boxed
          className="mt-3 flex [&>select]:w-full"
          value={chosen}
          options={points.toReversed().map((one) => ({
            value: one.messageId,
            label: placeOf(one, true),
          }))}
          onChange={setChosen}
        />
      ) : point ? (
        <p className="border-s-2 border-line-strong ps-3 wrap-anywhere text-text">
          <SentenceText text={placeOf(point, false)} />
        </p>
      ) : null}
      {messageId === undefined && absent.length > 0 ? (
        <p className="mt-1 flex flex-wrap items-baseline gap-x-3 text-sm text-muted" role="status">
          <TextButton disabled={loading} onClick={() => (notListed === null ? older.need(absent) : older.retry())}>
            {t(loading ? 'files-restore.listing' : 'files-restore.list-older')}
          </TextButton>
          {notListed === null ? null : <SentenceText text={notListed} />}
        </p>
      ) : null}
      <RadioList
        labelledBy={title}
        className="mt-3"
        value={what}
        choices={[
          {
            value: 'files',
            label: t('files-restore.files'),
            hint: t('files-restore.files-hint', { files: filesWords }),
          },
          {
            value: 'chat',
            label: t('files-restore.chat'),
            hint: t('files-restore.chat-hint', { chat: chatWords }),
          },
          {
            value: 'both',
            label: t('files-restore.both'),
            hint: t('files-restore.both-hint', { files: filesWords, chat: chatWords }),
          },
        ]}
        onChange={setWhat}
      />
      {what === 'chat' || files.length === 0 || !preview?.ok ? null : (
        <ul
          className="mt-2 max-h-40 overflow-y-auto rounded-md bg-code px-3 py-2 font-mono text-mono text-code-text"
          aria-label={t('file-changes.goes')}
          tabIndex={0}
        >
          {preview.value
            .filter((one) => files.includes(one.path))
            .slice(0, MAX_PATHS)
            .map((one) => (
              <PathLine key={one.path} fate={t(`file-changes.${one.change}`)}>
                <span>
                  <ForeignText text={one.path} />
                </span>
              </PathLine>
            ))}
          {files.length > MAX_PATHS ? <li>{t('file-changes.more', { count: files.length - MAX_PATHS })}</li> : null}
        </ul>
      )}
      <p>{wayBack(what, Boolean(point?.draft))}</p>
      {running ? <p role="status">{t('files-restore.running')}</p> : null}
      {problem ? (
        <p role="alert">
          <SentenceText text={problem} />
        </p>
      ) : null}
      {busy ? <Wait what={t('wait.files-change')} /> : null}
      <DialogFoot>
        <Button onClick={onClose}>{t('file-changes.cancel')}</Button>
        <Button
          look="ink"
          disabled={busy || running || !point || (what === 'files' && files.length === 0)}
          onClick={() => void go()}
        >
          {t('files-restore.do')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

function placeOf({ draft, words }: RestorePoint, inList: boolean): string {
  if (draft === null) {
    const shown = words === '' ? t('files-restore.reply-without-words') : words
    return t('files-restore.after-reply', { inList, words: shown })
  }
  return t(draft === '' ? 'files-restore.before-sent' : 'files-restore.before-wrote', { inList, words })
}

function wayBack(what: RestoreWhat, draft: boolean): string {
  if (what === 'files') return t('files-restore.way-files')
  return t(what === 'chat' ? 'files-restore.way-chat' : 'files-restore.way-both', { draft })
}

/** Null while loading. */
function usePreview(
  watch: HistoryWatch | null,
  back: readonly ChangeSet[],
): VfsResult<readonly PreviewedPath[]> | null {
  const [preview, setPreview] = useState<VfsResult<readonly PreviewedPath[]> | null>(null)
  useEffect(() => {
    if (!watch) return
    let wanted = true
    previewMove(watch.vfs, (set) => (back.some(({ id }) => id === set.id) ? { ...set, undone: true } : set)).then(
      (found) => wanted && setPreview(found),
      () => wanted && setPreview(failures.unreadable()),
    )
    return () => {
      wanted = false
    }
  }, [watch, back])
  return preview
}
