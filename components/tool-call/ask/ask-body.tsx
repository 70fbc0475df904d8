'use client'

import { useImperativeHandle, useMemo, useRef, useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { CodeBlock } from '@/components/ui/code/code-block'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Kbd } from '@/components/ui/controls/kbd'
import { cx } from '@/components/ui/recipes/recipe'
import { useChat, useConversation } from '@/components/context/chat-context'
import { shortName } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import { REPEATS_WARN, isReadByGuess } from '@/lib/shared/calls/click-reasons'
import { MarksLine, CallMeta, GuessView } from '../waiting/call-meta'
import { nameOfModel } from '@/lib/shared/conversation/wire/tab-run'
import type { AnswerDraft } from '@/lib/shared/tools/ask-user/answer'
import { questionOf, type UserQuestion } from '@/lib/shared/tools/ask-user/question'
import { DenyWithReason, DenyButton, MoreMenu } from '../waiting/decide-buttons'
import { footButton, footGo, footWide, CardBody, CardFoot, CardTrouble } from '../styles/card'
import { useCardMenu, useRemember } from '../menu/use-card-menu'
import { useCall } from '../scope/call-scope'
import { AnswerForm } from './answer-form'
import { useAnswerDraft } from './use-answer-draft'

/** A call that asks the user: its card is the form. `again`: the page was left while an answer was being stored. */
export default function AskBody({ again = false }: { again?: boolean }) {
  const scope = useCall()
  const { conversationId, messageId, entry, raw, panel, decide, refs } = scope
  const { call, problem, repeats, slot } = entry
  const question = useMemo(() => questionOf(call.arguments), [call])
  const [draft, setDraft] = useAnswerDraft({ conversationId, messageId, slot })
  const [showRaw, setShowRaw] = useState(false)
  const [undoProblem, setUndoProblem] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const model = useNextModel()
  useImperativeHandle(refs.submit, () => () => form.current?.requestSubmit())
  const isMine = entry.changed || entry.changeLost === true || entry.promoted
  const menu = useCardMenu({
    remember: useRemember(),
    text: () => (showRaw ? raw : question.text),
    details: null,
    less: null,
    raw: { shown: showRaw, toggle: () => setShowRaw(!showRaw) },
    all: null,
    unchanged: null,
    parts: null,
    edit: null,
    undoChange: isMine ? () => void decide.amend('undo').then(setUndoProblem) : null,
  })
  const isGuess = isReadByGuess(call) && !entry.changed
  const isMended = isGuess || call.repairs.length > 0 || call.coercions.length > 0
  const isRemarkable = isMended || repeats >= REPEATS_WARN || entry.overLimit !== null
  const trouble = undoProblem ?? problem
  return (
    <>
      {isRemarkable ? <CallMeta asksAlways /> : null}
      <MarksLine call={call} say={(marks) => marks} />
      {trouble ? <CardTrouble text={trouble} /> : null}
      {isGuess ? <GuessView /> : null}
      {showRaw ? (
        <CardBody>
          <CodeBlock label={t('asks.raw')} text={raw} />
        </CardBody>
      ) : null}
      {panel === 'reason' ? (
        <DenyWithReason decide={decide} onBack={() => scope.setPanel(null)} />
      ) : (
        <AnswerForm
          question={question}
          draft={draft}
          onDraft={setDraft}
          onAnswer={(whole) => (again ? decide.answerAgain(whole) : decide.answer(whole))}
          model={model}
          form={form}
        >
          <CardFoot look="flat">
            <AnswerButton question={question} draft={draft} />
            {again ? (
              <Button className={footButton} onClick={decide.tell}>
                {t('asks.tell-unanswered')}
              </Button>
            ) : (
              <>
                <DenyButton label={t('asks.wont-say')} />
                <span className="ms-auto inline-flex items-center gap-2">
                  <span className="text-sm text-muted" role="status">
                    <SentenceText text={menu.menuNotice} />
                  </span>
                  <MoreMenu label={t('asks.more')} items={menu.items} />
                </span>
              </>
            )}
          </CardFoot>
        </AnswerForm>
      )}
    </>
  )
}

function AnswerButton({ question, draft }: { question: UserQuestion; draft: AnswerDraft }) {
  const { current, filled } = useCall()
  return (
    <Button
      type="submit"
      look={filled ? 'go' : 'go-next'}
      className={cx(footGo, footWide)}
      aria-keyshortcuts="Meta+Enter Control+Enter"
    >
      {t(choosesNone(question, draft) ? 'asks.answer-none' : 'asks.answer')} {current ? <Kbd keys="mod+enter" /> : null}
    </Button>
  )
}

/** Whether the answer says that no choice was taken. */
const choosesNone = ({ multiple, choices, fields }: UserQuestion, { chosen, writes }: AnswerDraft): boolean =>
  multiple && fields.length === 0 && !writes && !choices.some((choice) => chosen.includes(choice))

/** The name of the model that the chat uses next. */
function useNextModel(): string {
  const id = useConversation((view) => view.conversation?.settings.model ?? '')
  const known = useChat((state) => state.models?.models.find((one) => one.id === id))
  return known ? shortName(known) : nameOfModel(id)
}
