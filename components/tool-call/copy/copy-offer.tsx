'use client'

import { Wait } from '@/components/ui/page/wait'
import { useEffect, useState } from 'react'
import { useCallActions, useConversation } from '@/components/context/chat-context'
import { useTools } from '@/components/context/tools-context'
import { Button } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { t } from '@/lib/i18n/t'
import type { CopyBegin } from '@/lib/client/chats/actions'
import { fastMs, type AttentionFacts } from '@/lib/client/browser/attention'
import type { ConversationState } from '@/lib/client/state/state'
import { attention } from '@/lib/client/wiring/attention.browser'
import { runsOnCopy } from '@/lib/shared/calls/approval-policy'
import { openCopy } from '@/lib/shared/calls/copy'
import { lastTextAt } from '@/lib/shared/conversation/outline'
import { useReplyScope } from '../scope/reply-scope'

/** The user's decisions in this task, which started with the last user message. */
function taskOf({ path, calls }: ConversationState) {
  const task = new Set(path.slice(lastTextAt(path) + 1).map(({ id }) => id))
  const rows = [...calls.values()].filter(({ messageId }) => task.has(messageId))
  return {
    ran: rows.filter(({ decision, by }) => decision === 'run' && by.kind === 'click').length,
    isDenied: rows.some(({ decision }) => decision === 'deny'),
  }
}

/** The user's approvals have become a reflex. Shown once, below the first cards that can offer the copy. */
function useReflex(isOfferable: boolean) {
  const [facts, setFacts] = useState<AttentionFacts | null>(null)
  useEffect(() => {
    if (isOfferable) void attention.news().then((news) => news && setFacts(news))
  }, [isOfferable])
  return { facts, dismiss: () => setFacts(null) }
}

/**
 * Below the waiting cards of a reply from the second call of a task on, because most tasks have one step; and once below
 * any, if the user's approvals have become a reflex. It is about the task, so no card has its buttons. This is the only
 * offer to work on a copy, so that a single call is never delayed.
 */
export function CopyOffer() {
  const { message, view } = useReplyScope()
  const { workOnCopy } = useCallActions()
  const tools = useTools()
  const isPossible = useConversation((shown) => {
    const { requireConfirmation = false } = shown.conversation?.settings.tools ?? {}
    return !requireConfirmation && openCopy(shown.grants) === null
  })
  const isSecond = useConversation((shown) => {
    const { ran, isDenied } = taskOf(shown)
    return !isDenied && ran + view.waiting.length > 1
  })
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const stays = view.batch.runnable.filter(({ call }) => {
    const tool = tools.get(call.name)
    return tool !== undefined && runsOnCopy(tool)
  })
  const isHere = isPossible && view.canAsk && stays.length > 0
  const { facts, dismiss } = useReflex(isHere)
  if (!isHere || (!isSecond && facts === null)) return null
  const begin = async (how?: CopyBegin) => {
    setBusy(true)
    setProblem(
      await workOnCopy(
        message.id,
        stays.map(({ slot }) => slot),
        ...(how ? [how] : []),
      ),
    )
    setBusy(false)
  }
  const lead = facts ? t('attention.reflex', { fast: facts.fast, decided: facts.timed, ms: fastMs }) : t('copy.offer')
  return (
    <div
      data-decides=""
      role="group"
      aria-label={lead}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-1 narrow:px-3"
    >
      <p className="min-w-0 flex-1 basis-64 text-sm text-pretty text-muted">
        <strong className="block text-md font-medium text-text">{lead}</strong>
        {t('base.sentences', { all: [t(facts ? 'attention.offer' : 'copy.offer-about'), t('copy.promise')] })}
      </p>
      <Button className="narrow:h-touch narrow:flex-1" disabled={busy} onClick={() => void begin()}>
        {t('copy.begin')}
      </Button>
      <Button
        look="quiet"
        className="narrow:h-touch"
        disabled={busy}
        title={t('copy.preview-about')}
        onClick={() => void begin({ isPreview: true })}
      >
        {t('copy.preview')}
      </Button>
      {facts ? (
        <Button look="quiet" className="narrow:h-touch" onClick={dismiss}>
          {t('attention.later')}
        </Button>
      ) : null}
      {busy ? <Wait what={t('copy.beginning')} /> : null}
      {problem ? (
        <p className="basis-full text-sm text-danger" role="alert">
          <SentenceText text={problem} />
        </p>
      ) : null}
    </div>
  )
}
