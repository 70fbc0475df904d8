'use client'

import { asForeign, labelOf } from '@/lib/base/foreign-text/foreign'
import { useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { Button } from '@/components/ui/button'
import { ForeignText } from '@/components/ui/foreign-text'
import { Icon } from '@/components/ui/icon'
import type { CallSegment } from '@/lib/strategies/segment'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { t } from '@/lib/i18n/t'
import { formatName } from '../words/tool-words'
import { cardFrame, cardHead, footButton, statusLine, toolName } from '../look/card'
import { CardFoot, CardTrouble } from '../look/card-parts'
import { saidAround, SayLine } from '../sentence'
import { ArgumentLines } from './argument-lines'
import type { InactiveCallCardProps } from './inactive-card-props'
import { InactiveMore, InactiveRaw, useInactiveMore } from './inactive-more'
import { SwitchStrategy } from './switch-strategy'

/** The provider made the call beside the text. */
const isNativeCall = ({ dialect }: CallSegment): boolean =>
  toolContextBuilder.isStrategyId(dialect) && toolContextBuilder.get(dialect).callsBy === 'provider'

/** A call in another format than the chat's: what it is, and one button that makes a waiting call of it. */
export function ForeignCallCard({ call, strategy, model, raw, onLift }: Omit<InactiveCallCardProps, 'place'>) {
  const native = isNativeCall(call)
  const more = useInactiveMore(native ? writtenOf(call) : raw)
  const [problem, setProblem] = useState<string | null>(null)
  const settings = useConversation((view) => view.conversation?.settings)
  const now = settings?.strategy === strategy
  const { dialect } = call
  return (
    <div
      className={cardFrame({ look: 'dashed' })}
      role="group"
      aria-label={labelOf(t('card-frame.call', { tool: asForeign(call.name) }))}
    >
      <div className={cardHead()}>
        <span className={toolName()}>
          <ForeignText text={call.name} />
        </span>
        <span className={statusLine()}>
          <Icon name="quote" />
          {t('no-call.other-format')}
        </span>
      </div>
      <SayLine>
        {saidAround((put) => {
          const values = { now, strategy: put(<ForeignText text={strategy} />) }
          return native
            ? t('no-call.native', values)
            : t('no-call.foreign', { ...values, format: put(<ForeignText text={formatName(dialect)} />) })
        })}
      </SayLine>
      <ArgumentLines value={call.arguments} />
      {problem ? <CardTrouble text={problem} /> : null}
      <CardFoot look="flat">
        {onLift ? (
          <>
            <Button className={footButton} onClick={() => void onLift().then(setProblem)}>
              {t('no-call.use')}
            </Button>
            <span className="text-sm text-muted narrow:order-1 narrow:basis-full">{t('no-call.review')}</span>
          </>
        ) : null}
        <InactiveMore more={more} />
      </CardFoot>
      <InactiveRaw more={more} />
      {onLift && dialect !== strategy && (!native || settings?.model === model) ? (
        <SwitchStrategy to={dialect} from={strategy} />
      ) : null}
    </div>
  )
}

/** A call that came beside the text was never written: what was sent. */
const writtenOf = ({ name, arguments: args }: CallSegment): string => JSON.stringify({ name, arguments: args }, null, 2)
