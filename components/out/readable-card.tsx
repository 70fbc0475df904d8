'use client'

import { ResultView } from '@/components/tool-call/evidence/result-view'
import { CardBody } from '@/components/tool-call/look/card-parts'
import { cardFrame, cardHead, statusLine, toolName } from '@/components/tool-call/look/card'
import { CodeBlock } from '@/components/ui/code-block'
import { ForeignText } from '@/components/ui/foreign-text'
import { Icon, type IconName } from '@/components/ui/icon'
import { JsonTree } from '@/components/ui/json-tree'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import type { JsonObject } from '@/lib/base/json'
import type { ReadableCall, ReadableCallState } from '@/lib/conversation/readable-chat'
import { t } from '@/lib/i18n/t'

const glyphs: Readonly<Record<ReadableCallState, IconName>> = {
  done: 'ok',
  failed: 'cross',
  denied: 'no',
  skipped: 'no',
  open: 'cut',
  withheld: 'no',
  text: 'quote',
}

/** A call that was: what it was, what became of it, and what its owner let be seen of it. No button stands on it. */
export function ReadableCard({ call }: { call: ReadableCall }) {
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
        <Icon name="plug" />
        <span className={toolName()}>
          <ForeignText text={call.tool} />
        </span>
        <span className={statusLine({ tone: call.state === 'failed' ? 'bad' : undefined })}>
          <Icon name={glyphs[call.state]} />
          {t(`readable.state.${call.state}`)}
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
    </div>
  )
}

/** Texts of several lines are read as text, the rest as a tree. */
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
