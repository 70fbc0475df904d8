'use client'

import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type Ref, type RefObject } from 'react'
import { useCallActions, useChat } from '@/components/chat/chat-context'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { defaultToolConfig } from '@/lib/chat/tool-config'
import { callKey } from '@/lib/client/state'
import type { OpenQuestion } from '@/lib/tool-calls/question-list'
import type { FileBasis } from '@/lib/tool-calls/file-basis'
import { discoverTools } from '@/lib/tools/discovery'
import { toolRegistry } from '@/lib/tools/registry'
import { cardKey, pressOf, whereIn } from './card/card-keys'
import { CardHead } from './card/card-head'
import { cardStatus } from './card/card-status'
import ResultGate, { type GateKeys } from './gate/result-gate'
import { RanAlone } from './settled/ran-alone'
import type { LookKeys } from './waiting/use-look-over'
import { WaitingBody, type CardPanel } from './waiting/waiting-body'
import './tool-call.css'

export interface QuestionCardProps {
  readonly question: OpenQuestion
  /** Questions that wait behind this one. */
  readonly more: number
}

/** One question with what its card shows, and the way to leave it for later. */
export function QuestionCard({ question, more }: QuestionCardProps) {
  const { call } = question.request.call
  const root = useRef<HTMLDivElement>(null)
  const gate = useRef<GateKeys>(null)
  const looked = useRef<LookKeys>(null)
  const [panel, setPanel] = useState<CardPanel>(null)
  const waits = question.kind === 'run'

  // On the question as a whole, not on Run: a key that was meant for the composer must not decide anything.
  const focus = () => root.current?.focus({ preventScroll: true })
  useEffect(focus, [])

  const listeners = {
    onKeyDown: (event: KeyboardEvent<HTMLDivElement>) => {
      const key = event.repeat ? null : cardKey(pressOf(event), whereIn(event.currentTarget, event.target))
      const known = waits ? ['run', 'deny', 'edit', 'reason'] : ['run', 'deny']
      if (key === null || !known.includes(key)) return
      event.preventDefault()
      if (question.kind === 'result') return key === 'run' ? gate.current?.send() : gate.current?.keep()
      if (key === 'run') {
        if (looked.current?.passes() ?? true) question.answer({ kind: 'run' })
      } else if (key === 'deny') question.answer({ kind: 'deny', reason: '' })
      else if (key === 'edit' || key === 'reason') setPanel(key)
    },
  }

  return (
    <div
      ref={root}
      role="group"
      aria-label={visibleText(`${waits ? 'Tool call' : 'Tool result'}: ${call.name}`, 'name')}
      tabIndex={-1}
      {...listeners}
    >
      <CardHead
        call={call}
        summary={null}
        status={cardStatus[waits ? 'awaiting_approval' : 'awaiting_result_approval']}
        figures={more > 0 ? ` · ${more} more after this` : ''}
      />
      {question.kind === 'run' ? (
        <Waiting
          question={question}
          card={root}
          look={looked}
          panel={panel}
          onPanel={(next) => {
            setPanel(next)
            if (next === null) focus()
          }}
        />
      ) : (
        <Gate question={question} keys={gate} />
      )}
      <div className="ask-foot">
        <Button look="quiet" onClick={() => question.answer({ kind: 'later' })}>
          Later <Kbd keys="esc" />
        </Button>
        <span className="muted small">It goes on waiting in its card.</span>
      </div>
    </div>
  )
}

interface WaitingProps {
  readonly question: Extract<OpenQuestion, { kind: 'run' }>
  readonly card: RefObject<HTMLDivElement | null>
  readonly look: Ref<LookKeys>
  readonly panel: CardPanel
  readonly onPanel: (panel: CardPanel) => void
}

function Waiting({ question, card, look: lookKeys, panel, onPanel }: WaitingProps) {
  const { conversationId, messageId, call: target, repeats } = question.request
  const { slot, call } = target
  const actions = useCallActions()
  const message = useChat(({ view }) => view.tree.get(messageId))
  const config = useChat(({ view }) => view.conversation?.settings.tools ?? defaultToolConfig)
  const strategy = useChat(({ view }) => view.conversation?.settings.strategy)
  const problem = useChat(({ view }) => view.live.get(callKey(messageId, slot))?.problem ?? null)
  const tool = toolRegistry.get(call.name)
  const summary = useMemo(() => tool?.summarize(call.arguments) ?? null, [tool, call])
  const look = useCallback((basis: FileBasis) => actions.look(messageId, slot, basis), [actions, messageId, slot])
  const reply = message?.role === 'assistant' ? message : undefined
  return (
    <WaitingBody
      conversationId={conversationId}
      messageId={messageId}
      card={card}
      entry={{ ...target, repeats, problem }}
      tool={tool}
      tools={discoverTools(toolRegistry, config)}
      summary={summary}
      strategy={reply?.strategy ?? strategy ?? 'JSON_Strict'}
      raw={reply?.text.slice(call.start, call.end) ?? ''}
      current
      look={lookKeys}
      panel={panel}
      onPanel={onPanel}
      onLook={look}
      onRun={() => question.answer({ kind: 'run' })}
      onDeny={(reason) => question.answer({ kind: 'deny', reason })}
      // The changed call is another question, which then takes this one's place.
      onAmend={(next) => actions.amend(messageId, slot, next)}
      onRemember={(remember, alsoRun) => {
        question.answer({ kind: 'run', remember, alsoRun })
        return Promise.resolve(null)
      }}
    />
  )
}

interface GateProps {
  readonly question: Extract<OpenQuestion, { kind: 'result' }>
  readonly keys: Ref<GateKeys>
}

function Gate({ question, keys }: GateProps) {
  const { conversationId, messageId, call: target, outcome, decidedBy } = question.request
  const { name } = target.call
  return (
    <>
      <RanAlone record={{ messageId, slot: target.slot, name, by: decidedBy }} />
      <ResultGate
        conversationId={conversationId}
        messageId={messageId}
        slot={target.slot}
        call={target.call}
        outcome={outcome}
        current
        onRelease={(release) => {
          question.answer(release)
          return Promise.resolve(null)
        }}
        keys={keys}
      />
    </>
  )
}
