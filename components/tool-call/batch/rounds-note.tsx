'use client'

import { useAnswer } from '@/components/context/answer-context'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import { roundsQuestion } from '@/lib/i18n/rounds-question'
import { t } from '@/lib/i18n/t'
import { roundsKey } from '@/lib/tool-calls/inline-approval'
import type { MessageCallsView } from '../scope/message-calls-view'
import { note } from '@/components/ui/recipes/note'
import { useHeldRounds, type HeldRounds } from './use-held-rounds'

/** Calls would have run by themselves, had there not been so many rounds before: the same question as by hand. */
export function RoundsNote({ message, view }: { message: AssistantMessage; view: MessageCallsView }) {
  const answer = useAnswer()
  const held = useHeldRounds(message, view.canAsk ? view.waiting : none)
  if (!held) return null
  const slots = held.held.map(({ slot }) => slot)
  return (
    <div className={note({}, 'narrow:flex-wrap')} role="status">
      <Icon name="info" />
      <span>{t('batch.said', { said: [roundsQuestion(held.rounds), heldWords(held)] })}</span>
      <Button
        className="ms-auto"
        onClick={() => void answer('rounds', [roundsKey(message.id)], { kind: 'continue', slots })}
      >
        {t('batch.continue')}
      </Button>
    </div>
  )
}

const none: MessageCallsView['waiting'] = []

function heldWords({ held }: HeldRounds): string {
  const tools = [...new Set(held.map(({ call }) => visibleText(call.name, 'name')))]
  return t('batch.held', { count: held.length, tools })
}
