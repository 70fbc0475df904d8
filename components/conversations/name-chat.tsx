'use client'

import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useChatActions, useClientStore } from '@/components/context/chat-context'
import { Button, IconButton } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { cx } from '@/components/ui/recipes/recipe'
import { floating } from '@/components/ui/recipes/surface'
import { Spinner } from '@/components/ui/page/wait'
import { loadedMessagesOf } from '@/lib/shared/conversation/message-tree'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import { nameByModel } from '@/lib/client/wiring/models/title.browser'
import { t } from '@/lib/i18n/t'

type Step =
  | { readonly is: 'asking' }
  | { readonly is: 'named'; readonly called: string }
  | { readonly is: 'failed'; readonly problem: string }

/** How long the undo is offered. */
const shownMs = 12_000

/** Asks the chat's model for a title, sets it, and offers an undo; shown over the page. */
export function NameChat({ row, onClose }: { row: Pick<ConversationSummary, 'id' | 'title'>; onClose: () => void }) {
  const actions = useChatActions()
  const store = useClientStore()
  const [before] = useState(row.title)
  const [step, setStep] = useState<Step>({ is: 'asking' })
  const asking = useRef<AbortController>(null)
  const close = useEffectEvent(onClose)

  const ask = async (signal: AbortSignal): Promise<Step | null> => {
    const view = store.getState().open.get(row.id)
    const chat = {
      id: row.id,
      model: view?.conversation?.settings.model ?? '',
      path: loadedMessagesOf(view?.path ?? []),
    }
    const answer = await nameByModel(chat, signal)
    if (answer === null || signal.aborted) return null
    if ('problem' in answer) return { is: 'failed', problem: answer.problem }
    if (answer.title !== before) await actions.rename(row.id, answer.title)
    return signal.aborted ? null : { is: 'named', called: answer.title }
  }
  const begin = () => {
    const mine = new AbortController()
    asking.current = mine
    void ask(mine.signal).then((found) => (found ? setStep(found) : undefined))
  }
  const beginFirst = useEffectEvent(begin)
  useEffect(() => {
    beginFirst()
    return () => asking.current?.abort()
  }, [])
  useEffect(() => {
    if (step.is !== 'named') return
    const timer = setTimeout(() => close(), shownMs)
    return () => clearTimeout(timer)
  }, [step])

  return (
    <div
      className="pointer-events-none fixed inset-x-0 bottom-[max(--spacing(4),env(safe-area-inset-bottom))] z-float flex justify-center px-4"
      role="status"
    >
      <div className={cx(floating(), 'pointer-events-auto flex max-w-column flex-wrap items-center gap-2 px-3 py-2')}>
        {step.is === 'asking' ? (
          <>
            <Spinner />
            <span>{t('list.naming')}</span>
            <Button onClick={onClose}>{t('list.name-stop')}</Button>
          </>
        ) : step.is === 'failed' ? (
          <>
            <span className="min-w-0 flex-1 text-pretty wrap-anywhere text-danger">
              <SentenceText text={t('list.not-named', { why: step.problem })} />
            </span>
            <Button
              onClick={() => {
                setStep({ is: 'asking' })
                begin()
              }}
            >
              {t('list.again')}
            </Button>
          </>
        ) : (
          <Named now={step.called} before={before} onUndo={() => void actions.rename(row.id, before).then(onClose)} />
        )}
        {step.is === 'asking' ? null : <IconButton size="xs" icon="cross" label={t('list.let-go')} onClick={onClose} />}
      </div>
    </div>
  )
}

function Named({ now, before, onUndo }: { now: string; before: string; onUndo: () => void }) {
  const same = now === before
  const title = { title: asUntrusted(now) }
  return (
    <>
      <span className="min-w-0 wrap-anywhere">
        <SentenceText text={same ? t('list.name-same', title) : t('list.named', title)} />
      </span>
      {same || before === '' ? null : <Button onClick={onUndo}>{t('list.undo')}</Button>}
    </>
  )
}
