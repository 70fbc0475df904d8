import { Fragment } from 'react'
import { drawableText } from '@/components/ui/text/drawable-text'
import { ForeignText } from '@/components/ui/text/foreign-text'
import { codeBox } from '@/components/ui/recipes/code'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { t } from '@/lib/i18n/t'

const MAX_LINES = 3
/** Characters of a value that are drawn; the line is cut long before. */
const MAX_VALUE = 300

/** What a call would be given: three lines at most, each cut at its end. The waiting card shows all of it. */
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

/** A text of several lines on one: plain line ends are a small sign, and no warning as in a path. */
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
