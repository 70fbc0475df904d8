'use client'

import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useConversation } from '@/components/context/chat-context'
import { requestOpenFile } from '@/components/context/show-in-page'
import { Button } from '@/components/ui/controls/button'
import { row } from '@/components/ui/recipes/surface'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { lastTextAt } from '@/lib/shared/conversation/outline'
import type { ChangeSet } from '@/lib/vfs/vfs-history'
import { isActive } from '@/lib/vfs/log/change-log'
import { nameOf } from '@/lib/vfs/path'
import { t } from '@/lib/i18n/t'
import { artifactKind, artifactsAmong } from '@/lib/client/files/artifact/artifact-kind'
import { useHistory } from '../use-history'

export interface ReplyArtifactsProps {
  readonly conversationId: string
  readonly messageId: string
  /** Files that a card of the reply opens itself; for these, only pages are offered, to run. */
  readonly opened: ReadonlySet<string>
}

const most = 3

/** Pages, pictures and texts that a reply's calls wrote, each with a button to open it beside the chat. */
export default function ReplyArtifacts({ conversationId, messageId, opened }: ReplyArtifactsProps) {
  // If no message follows, running the result is the likely next step.
  const isNew = useConversation(({ path }) => path.findIndex(({ id }) => id === messageId) > lastTextAt(path))
  const { sets } = useHistory(conversationId)
  const paths = artifactsAmong(writtenBy(sets, messageId))
    .filter((path) => artifactKind(path) === 'page' || !opened.has(path))
    .slice(0, most)
  if (paths.length === 0) return null
  return (
    <div className={row()} role="group" aria-label={t('artifact.offer')}>
      {paths.map((path, index) => {
        const isPage = artifactKind(path) === 'page'
        const words = !isPage
          ? t('artifact.open-file', { name: asUntrusted(nameOf(path)) })
          : paths.length === 1
            ? t('artifact.run')
            : t('artifact.run-file', { name: asUntrusted(nameOf(path)) })
        return (
          <Button
            key={path}
            look={isNew && isPage && index === 0 ? 'go' : 'plain'}
            onClick={() => requestOpenFile({ conversationId, path, beside: { run: isPage } })}
          >
            <SentenceText text={words} />
          </Button>
        )
      })}
    </div>
  )
}

/** Files that calls of the message wrote and that still exist. */
function writtenBy(newestFirst: readonly ChangeSet[], messageId: string): readonly string[] {
  const existing = new Map<string, boolean>()
  const mine = new Set<string>()
  for (const set of newestFirst) {
    if (!isActive(set)) continue
    for (const { path, after } of set.changes) {
      if (!existing.has(path)) existing.set(path, after?.kind === 'file')
      if (set.origin.kind === 'call' && set.origin.messageId === messageId) mine.add(path)
    }
  }
  return [...mine].filter((path) => existing.get(path))
}
