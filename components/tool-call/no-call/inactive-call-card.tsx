'use client'

import { ForeignText, SaidText } from '@/components/ui/foreign-text'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { useState } from 'react'
import { CodeBlock } from '@/components/ui/code-block'
import { CopyButton } from '@/components/ui/copy-button'
import { Icon } from '@/components/ui/icon'
import { TextButton } from '@/components/ui/text-button'
import type { CallSegment } from '@/lib/strategies/segment'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import type { StrategyId } from '@/lib/strategies/tool-context-def'
import type { QuotePlace } from '@/lib/client/message-parts'
import { cardFrameSentence } from '@/lib/words/card-frame'
import { noCallSentence } from '@/lib/words/card-no-call'
import { inactiveCallWords } from '../words/tool-words'
import { saidAround } from '../sentence'
import { useSwitchStrategy } from './use-switch-strategy'
import { cardFrame, cardHead, toolName, aboutCall, cardNote } from '../look/card'
import { CardTrouble, CardBody, CardMore } from '../look/card-parts'

export interface InactiveCallCardProps {
  readonly call: CallSegment
  readonly strategy: string
  readonly raw: string
  readonly place: QuotePlace
  /** Makes a call of it, which then waits for the user. Null: not from here (the reply is not the last one). */
  readonly onLift: (() => Promise<string | null>) | null
}

/** Something that looks like a call and is none here: an example, or another format. It can't run as it stands. */
export function InactiveCallCard({ call, strategy, raw, place, onLift }: InactiveCallCardProps) {
  const [showRaw, setShowRaw] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const foreign = call.standing === 'foreign'
  const { dialect } = call
  const lift = (where: string) =>
    onLift ? (
      <TextButton className={where} onClick={() => void onLift().then(setProblem)}>
        {noCallSentence(foreign ? 'no-call.use' : 'no-call.lift')}
      </TextButton>
    ) : null
  return (
    <div
      className={cardFrame({ look: 'dashed' })}
      role="group"
      aria-label={visibleText(cardFrameSentence('card-frame.call', { tool: call.name }), 'name')}
    >
      <div className={cardHead()}>
        <Icon name="quote" className="text-muted" />
        <span className={toolName({ look: 'quiet' })}>
          <ForeignText text={call.name} />
        </span>
        <span data-about="" className={aboutCall()}>
          <SaidText text={inactiveCallWords(call, strategy, place)} />
        </span>
        <span className="ms-auto" />
        <TextButton aria-expanded={showRaw} onClick={() => setShowRaw(!showRaw)}>
          {noCallSentence('no-call.raw')}
        </TextButton>
        <CopyButton text={() => raw} />
        {lift('narrow:hidden')}
      </div>
      {problem ? <CardTrouble last text={problem} /> : null}
      {showRaw ? (
        <CardBody look="dashed">
          <CodeBlock label={noCallSentence('no-call.as-written')} text={raw} />
          {onLift ? <CardMore className="hidden narrow:block">{lift('')}</CardMore> : null}
        </CardBody>
      ) : null}
      {foreign && onLift && dialect !== strategy && toolContextBuilder.isStrategyId(dialect) ? (
        <SwitchStrategy to={dialect} from={strategy} />
      ) : null}
    </div>
  )
}

/** The model writes in another of our strategies: from now on the chat may use that one. */
function SwitchStrategy({ to, from }: { to: StrategyId; from: string }) {
  const { current, switchTo, problem } = useSwitchStrategy()
  if (current === to) return null
  return (
    <p className={cardNote({ look: 'links' })}>
      <TextButton onClick={() => void switchTo(to)}>{noCallSentence('no-call.switch')}</TextButton>
      <span>
        {saidAround((put) =>
          noCallSentence('no-call.switch-then', {
            to: put(<ForeignText text={to} />),
            from: put(<ForeignText text={from} />),
          }),
        )}
      </span>
      {problem ? (
        <span className="text-sm text-pretty text-danger" role="alert">
          <SaidText text={problem} />
        </span>
      ) : null}
    </p>
  )
}
