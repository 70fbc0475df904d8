'use client'

import { useState } from 'react'
import { Icon, type IconName } from '@/components/ui/controls/icon'
import { CodeBlock } from '@/components/ui/code/code-block'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { Markdown } from '@/components/markdown/markdown'
import { bubble, fold, message as messageLook, stack, thought } from '@/components/ui/recipes/recipe'
import { note } from '@/components/ui/recipes/surface'
import { TextButton } from '@/components/ui/controls/button'
import { useIsLive } from '@/components/ui/page/lazy-part'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import type {
  ReadableChat,
  ReadableFile,
  ReadableInnerCall,
  ReadableMessage,
  ReadablePart,
  ReadableQuestion,
  ReadableReply,
  ReadableCall,
  ReadableCallState,
} from '@/lib/shared/conversation/readable/readable-chat'
import { innerState, readableEnd, readableState } from '@/lib/shared/conversation/readable/readable-markdown'
import { t } from '@/lib/i18n/t'
import { ResultView } from '@/components/tool-call/evidence/result-view'
import { CardBody, cardFrame, cardHead, statusLine } from '@/components/tool-call/styles/card'
import { ToolName } from '@/components/tool-call/words/tool-name'
import { JsonTree } from '@/components/ui/code/json-tree'
import type { JsonObject } from '@/lib/base/json'

const glyphs: Readonly<Record<ReadableCallState, IconName>> = {
  done: 'ok',
  failed: 'cross',
  denied: 'no',
  skipped: 'no',
  open: 'cut',
  unknown: 'cut',
  withheld: 'no',
  text: 'quote',
}

/** A past call: its name, its outcome, and the parts that its owner shared. It has no buttons. */
function ReadableCard({ call }: { call: ReadableCall }) {
  const called =
    call.tool === '' ? t('readable.call-unnamed') : t('readable.call', { tool: visibleText(call.tool, 'name') })
  return (
    <div
      className={cardFrame(
        { look: call.state === 'text' ? 'dashed' : undefined },
        'print:break-inside-avoid-page print:shadow-none',
      )}
      role="group"
      aria-label={called}
    >
      <div className={cardHead()}>
        <ToolName name={call.tool} />
        <span className={statusLine({ tone: call.state === 'failed' ? 'bad' : undefined })}>
          <Icon name={glyphs[call.state]} />
          <SentenceText text={readableState(call, asUntrusted)} />
        </span>
      </div>
      {call.written === null ? null : (
        <CardBody>
          <CodeBlock label={t('readable.written')} text={call.written} numbered={false} />
        </CardBody>
      )}
      {call.arguments === null || Object.keys(call.arguments).length === 0 ? null : (
        <CardBody>
          <Arguments value={call.arguments} />
        </CardBody>
      )}
      {call.result === null ? null : (
        <CardBody>
          <ResultView
            outcome={{
              status: 'completed',
              result: call.result.value,
              durationMs: null,
              console: [],
              displays: call.result.displays,
            }}
          />
        </CardBody>
      )}
      {call.inner?.map((inner, at) => (
        <CardBody key={at}>
          <InnerCall call={inner} />
        </CardBody>
      ))}
    </div>
  )
}

function InnerCall({ call: { tool, asked, arguments: args, ...how } }: { call: ReadableInnerCall }) {
  const called = t('readable.inner', { tool: visibleText(tool, 'name'), asked })
  return (
    <section aria-label={called}>
      <p className={note()}>
        <Icon name={glyphs[how.state]} />
        {called}: {innerState(how)}
      </p>
      {args === null || Object.keys(args).length === 0 ? null : <Arguments value={args} />}
    </section>
  )
}

/** Strings of several lines are shown as text, other arguments as a tree. */
function Arguments({ value }: { value: JsonObject }) {
  const entries = Object.entries(value)
  const long = entries.flatMap(([name, member]) =>
    typeof member === 'string' && member.trimEnd().includes('\n') ? [[name, member] as const] : [],
  )
  const rest = Object.fromEntries(entries.filter(([name]) => !long.some(([other]) => other === name)))
  return (
    <>
      {Object.keys(rest).length > 0 ? <JsonTree label={t('readable.arguments')} value={rest} members={12} /> : null}
      {long.map(([name, text]) => (
        <CodeBlock
          key={name}
          label={t('readable.argument', { name: visibleText(name, 'name') })}
          text={text}
          numbered={false}
        />
      ))}
    </>
  )
}

export interface ReadableThreadProps {
  readonly chat: ReadableChat
  /** Opens collapsible parts, because paper has no buttons. */
  readonly isOpen?: boolean
}

/** Messages that are rendered at a time. */
const page = 200
/**
 * Characters that the server renders. The browser renders the rest, because parsing Markdown would block the server's
 * other requests.
 */
const maxServerCharacters = 60_000

/** A read-only chat: the same text and cards as in the chat, with nothing to decide or run. */
export function ReadableThread({ chat, isOpen = false }: ReadableThreadProps) {
  const [count, setCount] = useState(page)
  const isLive = useIsLive()
  const wanted = isOpen ? chat.messages : chat.messages.slice(0, count)
  const shown = isLive ? wanted : wanted.slice(0, earlyOf(wanted))
  const rest = chat.messages.length - wanted.length
  return (
    <section aria-label={t('readable.log')}>
      {chat.systemPrompt === null ? null : (
        <Folded heading={t('readable.system')} text={chat.systemPrompt} isOpen={isOpen} />
      )}
      {shown.map((message, index) => (
        <div
          key={index}
          className="flow-root [contain-intrinsic-size:auto_12rem] [content-visibility:auto] print:[content-visibility:visible]"
        >
          <OneMessage message={message} isOpen={isOpen} />
        </div>
      ))}
      {rest > 0 ? (
        <p className="print:hidden">
          <TextButton onClick={() => setCount(count + page)}>{t('readable.more', { rest })}</TextButton>
        </p>
      ) : null}
    </section>
  )
}

/** How many messages, from the first one, the server renders. */
function earlyOf(messages: readonly ReadableMessage[]): number {
  let length = 0
  const at = messages.findIndex((message) => (length += lengthOf(message)) > maxServerCharacters)
  return at === -1 ? messages.length : at
}

const lengthOf = (message: ReadableMessage): number =>
  message.by === 'person'
    ? message.text.length
    : message.parts.reduce((sum, part) => sum + (part.kind === 'call' ? 0 : part.text.length), 0)

const OneMessage = ({ message, isOpen }: { message: ReadableMessage; isOpen: boolean }) =>
  message.by === 'person' ? <Question message={message} /> : <Reply message={message} isOpen={isOpen} />

function Question({ message }: { message: ReadableQuestion }) {
  return (
    <article className={messageLook({ by: 'you' })} aria-label={t('readable.person')}>
      {message.text === '' ? null : (
        <div className={bubble()} dir="auto">
          <SentenceText text={message.text} />
        </div>
      )}
      {message.files.map((file, index) => (
        <OneFile key={index} file={file} />
      ))}
    </article>
  )
}

function OneFile({ file }: { file: ReadableFile }) {
  const words = t('readable.file', { name: visibleText(file.name, 'name'), size: file.size })
  return (
    <div className="mt-2 max-w-[84%] min-w-0">
      <p className={note()}>
        <Icon name={file.picture ? 'image' : 'clip'} />
        {words}
      </p>
      {file.picture ? (
        <picture className="block">
          <img
            className="mt-1 max-h-80 w-auto max-w-full rounded-md border border-line bg-paper"
            src={`data:${file.picture.mediaType};base64,${file.picture.data}`}
            alt={words}
          />
        </picture>
      ) : file.head === null ? null : (
        <div className="mt-1 overflow-clip rounded-md border border-line">
          <CodeBlock label={words} text={file.head} numbered={false} />
        </div>
      )}
    </div>
  )
}

function Reply({ message, isOpen }: { message: ReadableReply; isOpen: boolean }) {
  const { model } = message
  const ended = readableEnd(message)
  return (
    <article
      className={messageLook()}
      aria-label={model === '' ? t('readable.model') : t('readable.model-named', { model: visibleText(model, 'name') })}
    >
      {groups(message.parts).map((group, index) =>
        group.kind === 'cards' ? (
          <div key={index} className={stack()}>
            {group.calls.map((call, at) => (
              <ReadableCard key={at} call={call} />
            ))}
          </div>
        ) : group.kind === 'thought' ? (
          <Folded key={index} heading={t('readable.thought')} text={group.text} isOpen={isOpen} />
        ) : (
          <Markdown key={index} text={group.text} streaming={false} />
        ),
      )}
      {ended === null ? null : (
        <p className={note({}, 'mt-2')}>
          <Icon name="info" />
          {ended}
        </p>
      )}
    </article>
  )
}

type Group =
  | Exclude<ReadablePart, { kind: 'call' }>
  | { readonly kind: 'cards'; readonly calls: readonly Extract<ReadablePart, { kind: 'call' }>[] }

/** Groups consecutive cards, so that they are stacked. */
function groups(parts: readonly ReadablePart[]): readonly Group[] {
  const all: Group[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (part.kind !== 'call') all.push(part)
    else if (last?.kind === 'cards') all[all.length - 1] = { ...last, calls: [...last.calls, part] }
    else all.push({ kind: 'cards', calls: [part] })
  }
  return all
}

function Folded({ heading, text, isOpen }: { heading: string; text: string; isOpen: boolean }) {
  return (
    <details className="group/fold" open={isOpen}>
      <summary className={fold({}, 'cursor-pointer list-none [&::-webkit-details-marker]:hidden')}>
        <Icon name="right" className="group-open/fold:rotate-90" />
        {heading}
      </summary>
      <div className={thought()} dir="auto">
        <ForeignText text={text} reading="prose" />
      </div>
    </details>
  )
}
