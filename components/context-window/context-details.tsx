'use client'

import { asUntrusted, asWritten, type Foreign } from '@/lib/base/untrusted-text/foreign'
import { useEffect, useId, useRef } from 'react'
import { modelLabel } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import { useConversation } from '@/components/context/chat-context'
import { Button } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Popover } from '@/components/ui/popups/popover'
import type { PopoverPosition } from '@/components/ui/controls/use-popover-button'
import { cx } from '@/components/ui/recipes/recipe'
import { floating } from '@/components/ui/recipes/surface'
import { formatNumber } from '@/lib/base/text/locale'
import { loadedMessagesOf } from '@/lib/shared/conversation/message-tree'
import { type PromptShares, cutSources } from './count-tokens'
import { lastReplyOf, type CountedRequest, costOf, perSecond } from './use-next-request'

export interface ContextDetailsProps {
  readonly at: PopoverPosition
  readonly counted: CountedRequest
  readonly onClose: () => void
  readonly onFreeSpace: () => void
}

const parts = ['system', 'tools', 'history', 'attachments', 'draft'] as const satisfies readonly (keyof PromptShares)[]

/** The next request, part by part, and the figures of the last reply. */
export default function ContextDetails({ at, counted, onClose, onFreeSpace }: ContextDetailsProps) {
  const heading = useId()
  const box = useRef<HTMLDivElement>(null)
  const canFreeSpace = useConversation((view) => cutSources(view.path).length > 0)
  const model = counted.model ? asUntrusted(modelLabel(counted.model)) : asWritten(t('context.this-model'))
  useEffect(() => box.current?.focus(), [])
  return (
    <Popover
      at={at}
      onClose={onClose}
      ref={box}
      role="dialog"
      aria-labelledby={heading}
      tabIndex={-1}
      className={floating({}, 'fixed m-0 w-[min(24rem,calc(100vw-1rem))] p-4 text-sm text-text outline-none')}
    >
      <h2 className="text-md font-strong" id={heading}>
        {t('context.title')}
      </h2>
      <p className={muted}>
        <SentenceText text={totalText(counted, model)} />
      </p>
      <Bar counted={counted} />
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 tabular-nums">
        {parts.map((part) =>
          counted.shares[part] === 0 ? null : (
            <div className="col-span-2 grid grid-cols-subgrid" key={part}>
              <dt>{t(`context.part.${part}`)}</dt>
              <dd className="text-muted">{formatNumber(counted.shares[part])}</dd>
            </div>
          ),
        )}
      </dl>
      {counted.leftOut > 0 ? <p className={muted}>{t('context.left-out', { messages: counted.leftOut })}</p> : null}
      {counted.compacted > 0 ? (
        <p className={muted}>{t('context.compacted', { messages: counted.compacted })}</p>
      ) : null}
      <p className={muted}>
        <SentenceText text={ratioWords(counted.ratio, model)} />
      </p>
      <LastReply counted={counted} />
      {canFreeSpace ? (
        <div className="mt-3 flex justify-end">
          <Button onClick={onFreeSpace}>{t('context.make-room')}</Button>
        </div>
      ) : null}
    </Popover>
  )
}

const muted = cx('mt-2 text-pretty text-muted')

function totalText({ tokens, windowTokens, room }: CountedRequest, model: Foreign): string {
  if (windowTokens === null || room === null) return t('context.of-unknown', { tokens, model })
  const whole = t('context.of', { tokens, windowTokens, model })
  return `${whole} ${t('context.room', { room })}`
}

function ratioWords(ratio: number | null, model: Foreign): string {
  if (ratio === null) return t('context.guessed', { model })
  return ratio === 1 ? t('context.agrees', { model }) : t('context.learnt', { model, ratio })
}

/** The parts side by side, and the free space if the context window is known. */
function Bar({ counted: { shares, tokens, room } }: { readonly counted: CountedRequest }) {
  const free = room === null ? 0 : Math.max(0, room - tokens)
  return (
    <div className="my-3 flex h-2 gap-0.5 overflow-clip rounded-sm" aria-hidden="true">
      {parts.map((part) =>
        shares[part] === 0 ? null : (
          <i className="min-w-px bg-control even:bg-muted" key={part} style={{ flex: shares[part] }} />
        ),
      )}
      {free === 0 ? null : <i className="bg-line" style={{ flex: free }} />}
    </div>
  )
}

/** The last reply's speed, tokens and, if a price is set, cost. */
function LastReply({ counted: { model } }: { readonly counted: CountedRequest }) {
  const path = useConversation((view) => view.path)
  const last = lastReplyOf(path)
  if (!last) return null
  const { pace, usage } = last
  const { inputTokens: tokensIn = null, outputTokens: tokensOut = null, cachedInputTokens: cached = 0 } = usage ?? {}
  const speed = perSecond(last)
  const replies = loadedMessagesOf(path).filter((row) => row.role === 'assistant' && row.model === last.model)
  const price = model?.price
  const cost = price ? costOf([last], price) : null
  const all = price ? costOf(replies, price) : null
  return (
    <section className="mt-3 border-t border-line pt-3">
      <h3 className="font-medium">{t('context.last')}</h3>
      <ul className="mt-1 text-muted tabular-nums">
        {pace ? (
          <li>
            {t('context.first', { span: pace.firstMs })}
            {speed === null ? null : ` · ${t('context.speed', { perSecond: speed })}`}
          </li>
        ) : null}
        <li>
          {tokensIn === null || tokensOut === null
            ? t('context.unsaid')
            : t('context.used', { tokensIn, tokensOut, cached })}
        </li>
        {cost === null || all === null ? null : <li>{t('context.cost', { cost, all })}</li>}
      </ul>
    </section>
  )
}
