'use client'

import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useClientStore, useConversation, useThreadActions } from '@/components/context/chat-context'
import { Icon, type IconName } from '@/components/ui/controls/icon'
import { IconButton, TextButton } from '@/components/ui/controls/button'
import { panel } from '@/components/ui/recipes/surface'
import { cx } from '@/components/ui/recipes/recipe'
import { Wait } from '@/components/ui/page/wait'
import { t } from '@/lib/i18n/t'
import type { ChatRow } from '@/lib/shared/conversation/message-tree'
import type { ConversationState } from '@/lib/client/state/state'
import { branchFollower, watchBranch } from '@/lib/client/wiring/files/branch-follower.browser'
import { isSecurePage } from '@/lib/client/wiring/browser'
import type { BranchFollower } from '@/lib/client/files/follow-branch'
import { lowestPaths } from '@/lib/client/files/history/change-groups'

const MAX_PATHS = 50
const acts = cx('flex flex-wrap gap-x-4 pt-1')
const nothing = () => null

/**
 * Keeps the files in sync with the shown branch and says when they changed; also says when the chat ends at an earlier
 * message.
 */
export default function BranchNotice({ follower }: { follower?: BranchFollower }) {
  const store = useClientStore()
  const files = follower ?? branchFollower(store)
  useEffect(() => {
    if (!follower && isSecurePage()) return watchBranch(store)
  }, [store, follower])
  const moved = useSyncExternalStore(files.subscribe, files.moved, nothing)
  const shown = useConversation((view) => view.id)
  return (
    <>
      {moved && moved.conversationId === shown ? (
        <Moved key={moved.changed.join('\n')} changed={moved.changed} problem={moved.problem} files={files} />
      ) : null}
      <EndsHere />
    </>
  )
}

interface MovedProps {
  readonly changed: readonly string[]
  readonly problem: string | null
  readonly files: BranchFollower
}

function Moved({ changed, problem, files }: MovedProps) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const paths = lowestPaths(changed)
  const bring = () => {
    setBusy(true)
    files.bringAlong().then(
      () => setBusy(false),
      () => setBusy(false),
    )
  }
  return (
    <BranchNote icon="folder" onDismiss={files.dismiss}>
      <p>
        <SentenceText text={t('files-branch.moved', { count: paths.length, path: asUntrusted(paths[0] ?? '') })} />
      </p>
      {problem ? (
        <p role="alert">
          <SentenceText text={t('files-branch.not-kept', { why: problem })} />
        </p>
      ) : null}
      {busy ? <Wait what={t('wait.files-change')} /> : null}
      <p className={acts}>
        {paths.length > 1 ? (
          <TextButton aria-expanded={open} onClick={() => setOpen(!open)}>
            {t(open ? 'files-branch.hide-files' : 'files-branch.show-files')}
          </TextButton>
        ) : null}
        <TextButton disabled={busy} onClick={bring}>
          {t('files-branch.keep', { count: paths.length })}
        </TextButton>
      </p>
      {open ? (
        <ul className="mt-2 max-h-40 overflow-y-auto font-mono text-mono wrap-anywhere">
          {paths.slice(0, MAX_PATHS).map((path) => (
            <li key={path}>
              <ForeignText text={path} />
            </li>
          ))}
          {paths.length > MAX_PATHS ? <li>{t('file-changes.more', { count: paths.length - MAX_PATHS })}</li> : null}
        </ul>
      ) : null}
    </BranchNote>
  )
}

/** The first message after the shown end, if the chat was restored to an earlier message. */
function nextAfterEnd({ phase, run, sending, path, tree }: ConversationState): ChatRow | null {
  if (phase !== 'ready' || run || sending) return null
  const end = path.at(-1)?.id ?? null
  let next: ChatRow | null = null
  for (const message of tree.values()) if (message.parentId === end) next = message
  return next
}

function EndsHere() {
  const next = useConversation((view) => nextAfterEnd(view))
  const { switchBranch } = useThreadActions()
  if (next === null) return null
  return (
    <BranchNote icon="restore">
      <p>{t('files-branch.ends-here')}</p>
      <p className={acts}>
        <TextButton onClick={() => switchBranch(next.id)}>{t('files-branch.forward')}</TextButton>
      </p>
    </BranchNote>
  )
}

interface BranchNoteProps {
  readonly icon: IconName
  readonly onDismiss?: () => void
  readonly children: ReactNode
}

const BranchNote = ({ icon, onDismiss, children }: BranchNoteProps) => (
  <div className={panel({}, 'mb-2 flex items-start gap-3 py-2 ps-3.5 pe-2 text-sm')} role="status">
    <Icon name={icon} className="mt-2" />
    <div className="min-w-0 flex-1 py-1.5">{children}</div>
    {onDismiss ? <IconButton icon="cross" label={t('files-branch.dismiss')} onClick={onDismiss} /> : null}
  </div>
)
