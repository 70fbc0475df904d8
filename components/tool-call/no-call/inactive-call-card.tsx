'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useState, Fragment } from 'react'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { ToolName } from '../words/tool-name'
import { Icon } from '@/components/ui/controls/icon'
import { TextButton, Button } from '@/components/ui/controls/button'
import { t } from '@/lib/i18n/t'
import {
  aboutCall,
  cardFrame,
  cardHead,
  footButton,
  statusLine,
  cardNote,
  CardTrouble,
  CardFoot,
  CardBody,
} from '../styles/card'
import { useConversation, useChatActions } from '@/components/context/chat-context'
import type { CallSegment } from '@/lib/protocols/types/segment'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { formatName } from '@/lib/protocols/types/strategy-facts'
import { sentenceAround, SentenceLine } from '../sentence'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import type { QuoteLocation } from '@/lib/client/state/parsed-reply'
import { CodeBlock } from '@/components/ui/code/code-block'
import { copyText, useForAMoment } from '@/components/ui/controls/copy-button'
import { MoreMenu } from '../waiting/decide-buttons'
import { drawableText } from '@/components/ui/text/drawable-text'
import { codeBox } from '@/components/ui/recipes/recipe'
import type { JsonObject, JsonValue } from '@/lib/base/json'

const MAX_LINES = 3
/** Characters of a value that are rendered; the line is cut long before. */
const MAX_VALUE = 300

/** The call's arguments in at most three lines, each cut at its end. The waiting card shows all of them. */
export function ArgumentLines({ value }: { value: JsonObject }) {
  const entries = Object.entries(value)
  const shown = entries.length > MAX_LINES ? entries.slice(0, MAX_LINES - 1) : entries
  if (shown.length === 0) return null
  return (
    <dl
      className={codeBox({ pad: 'tree' }, 'mx-3.5 mt-2.5 rounded-md narrow:mx-3')}
      dir="ltr"
      aria-label={t('no-call.arguments')}
    >
      {shown.map(([name, member]) => (
        <div key={name} className="flex gap-x-4">
          <dt className="max-w-[45%] shrink-0 truncate text-code-key">
            <ForeignText text={drawableText(name)} />
          </dt>
          <dd className="min-w-0 truncate">
            <OneLine text={drawableText(cutValue(member))} />
          </dd>
        </div>
      ))}
      {entries.length > shown.length ? (
        <div className="font-sans text-sm text-code-muted">
          {t('no-call.more-arguments', { count: entries.length - shown.length })}
        </div>
      ) : null}
    </dl>
  )
}

/** A text of several lines on one: line breaks are a small sign, without the warning that a path would get. */
function OneLine({ text }: { text: string }) {
  const lines = text.split(/\r?\n/)
  if (lines.length === 1) return <ForeignText text={text} />
  return lines.map((line, index) => (
    <Fragment key={index}>
      {index > 0 ? (
        <span className="text-code-muted" aria-hidden>
          {' ↵ '}
        </span>
      ) : null}
      {line === '' ? null : <ForeignText text={line} reading="code" />}
    </Fragment>
  ))
}

function cutValue(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
}

/** The model's text, in the More menu: shown on the card, or copied. */
function useInactiveMore(raw: string) {
  const [shown, setShown] = useState(false)
  const [notice, showNotice] = useForAMoment('')
  const copy = () => {
    copyText(raw).then(
      () => showNotice(t('card.copied')),
      () => showNotice(t('card.not-copied')),
    )
  }
  return { raw, shown, said: notice, toggle: () => setShown(!shown), copy }
}

type InactiveMoreState = ReturnType<typeof useInactiveMore>

const InactiveMore = ({ more }: { more: InactiveMoreState }) => (
  <span className="ms-auto inline-flex items-center gap-2">
    <span className="text-sm text-muted" role="status">
      <SentenceText text={more.said} />
    </span>
    <MoreMenu
      label={t('card.more')}
      items={[
        { label: t(more.shown ? 'no-call.hide-raw' : 'no-call.show-raw'), run: more.toggle },
        { label: t('card.copy'), run: more.copy },
      ]}
    />
  </span>
)

const InactiveRaw = ({ more }: { more: InactiveMoreState }) =>
  more.shown ? (
    <CardBody look="dashed">
      <CodeBlock label={t('no-call.as-written')} text={more.raw} />
    </CardBody>
  ) : null

/** The conversation's strategy, and a way to switch it. */
function useSwitchStrategy() {
  const settings = useConversation((view) => view.conversation?.settings)
  const { updateSettings } = useChatActions()
  const [problem, setProblem] = useState<string | null>(null)
  const switchTo = async (strategy: StrategyId): Promise<void> => {
    if (settings) setProblem(await updateSettings({ ...settings, strategy }))
  }
  return { current: settings?.strategy, switchTo, problem }
}

/** The model writes in another of our strategies, or calls natively: offers to switch the chat to it. */
function SwitchStrategy({ to, from }: { to: string; from: string }) {
  const { current, switchTo, problem } = useSwitchStrategy()
  if (current === to || !toolContextBuilder.isStrategyId(to)) return null
  const isNative = toolContextBuilder.get(to).callsBy === 'provider'
  return (
    <p className={cardNote({ look: 'links' })}>
      <TextButton onClick={() => void switchTo(to)}>
        {t(isNative ? 'no-call.switch-native' : 'no-call.switch')}
      </TextButton>
      <span>
        {isNative
          ? t('no-call.switch-native-then')
          : sentenceAround((put) =>
              t('no-call.switch-then', {
                to: put(<ForeignText text={to} />),
                from: put(<ForeignText text={from} />),
              }),
            )}
      </span>
      {problem ? (
        <span className="text-sm text-pretty text-danger" role="alert">
          <SentenceText text={problem} />
        </span>
      ) : null}
    </p>
  )
}

/** The provider made the call outside the text. */
const isNativeCall = ({ dialect }: CallSegment): boolean =>
  toolContextBuilder.isStrategyId(dialect) && toolContextBuilder.get(dialect).callsBy === 'provider'

/** A call in another format than the chat's: explains it, with a button that makes it a waiting call. */
function ForeignCallCard({ call, strategy, model, raw, onLift }: Omit<InactiveCallCardProps, 'place'>) {
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
      aria-label={labelOf(t('card-frame.call', { tool: asUntrusted(call.name) }))}
    >
      <div className={cardHead()}>
        <ToolName name={call.name} />
        <span className={statusLine()}>
          <Icon name="quote" />
          {t('no-call.other-format')}
        </span>
      </div>
      <SentenceLine>
        {sentenceAround((put) => {
          const values = { now, strategy: put(<ForeignText text={strategy} />) }
          return native
            ? t('no-call.native', values)
            : t('no-call.foreign', { ...values, format: put(<ForeignText text={formatName(dialect)} />) })
        })}
      </SentenceLine>
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

/** A call outside the text was never written: shows what was sent. */
const writtenOf = ({ name, arguments: args }: CallSegment): string => JSON.stringify({ name, arguments: args }, null, 2)

/** Text that looks like a call but is not one here: an example, or another format. It can't run as it is. */
export const InactiveCallCard = (props: InactiveCallCardProps) =>
  props.call.standing === 'foreign' ? <ForeignCallCard {...props} /> : <QuotedCallCard {...props} />

function QuotedCallCard({ call, raw, place, onLift }: InactiveCallCardProps) {
  const more = useInactiveMore(raw)
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <div
      className={cardFrame({ look: 'dashed' })}
      role="group"
      aria-label={labelOf(t('card-frame.call', { tool: asUntrusted(call.name) }))}
    >
      <div className={cardHead()}>
        <Icon name="quote" className="text-muted" />
        <ToolName name={call.name} quiet />
        <span data-about="" className={aboutCall()}>
          <SentenceText text={t(`card-quote.${place}`)} />
        </span>
        <InactiveMore more={more} />
        {onLift ? (
          <TextButton
            className="narrow:order-6 narrow:ms-6 narrow:min-h-touch"
            onClick={() => void onLift().then(setProblem)}
          >
            {t('no-call.lift')}
          </TextButton>
        ) : null}
      </div>
      {problem ? <CardTrouble last text={problem} /> : null}
      <InactiveRaw more={more} />
    </div>
  )
}

interface InactiveCallCardProps {
  readonly call: CallSegment
  readonly strategy: string
  /** The model that wrote the reply. */
  readonly model: string
  readonly raw: string
  readonly place: QuoteLocation
  /** Makes it a call, which then waits for the user. Null if not possible from here (the reply is not the last one). */
  readonly onLift: (() => Promise<string | null>) | null
}
