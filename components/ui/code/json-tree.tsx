'use client'

import { labelOf } from '@/lib/base/untrusted-text/foreign'
import { createContext, useContext, useState } from 'react'
import { isJsonObject, type JsonValue } from '@/lib/base/json'
import { t } from '@/lib/i18n/t'
import { clipLines, useOutOfView, useTabStop } from '../text/out-of-view'
import { drawableText, judgedLimits } from '../text/drawable-text'
import { ForeignText } from '../text/foreign-text'
import { NotedText } from '../popups/noted-text'
import { Icon } from '../controls/icon'
import { codeBox } from '../recipes/recipe'
import { TextButton } from '../controls/button'

const pageSize = 50
/** Rows of a text that fit in view. */
const shownRows = 16
const shortText = { characters: 2_000, lineCharacters: 2_000 }
/** The number of a branch's members shown at a time. */
const PageSize = createContext(pageSize)

const line = 'flex min-h-[1.5rem] items-center gap-1.5 whitespace-nowrap'
const leaf = 'flex min-h-[1.5rem] items-baseline gap-1.5 ps-4.5 whitespace-pre-wrap wrap-anywhere'

/**
 * JSON as a collapsible tree. Branches deeper than two levels start collapsed; long ones show 50 members at a time, or
 * `members` at first.
 */
export function JsonTree({ value, label, members = pageSize }: { value: JsonValue; label: string; members?: number }) {
  const tabIndex = useTabStop()
  return (
    <div className={codeBox({ pad: 'tree' })} dir="ltr" tabIndex={tabIndex} role="group" aria-label={labelOf(label)}>
      <ul className="ps-4.5">
        <PageSize value={members}>
          <Node name={null} value={value} depth={0} />
        </PageSize>
      </ul>
    </div>
  )
}

function Node({ name, value, depth }: { name: string | null; value: JsonValue; depth: number }) {
  const key = name === null ? null : <Key name={name} />
  if (value === null || typeof value !== 'object') {
    return (
      <li>
        <div className={depth === 0 ? line : leaf}>
          {key}
          <JsonLeaf value={value} />
        </div>
      </li>
    )
  }
  return <Branch name={name} value={value} depth={depth} />
}

function Branch({ name, value, depth }: { name: string | null; value: object & JsonValue; depth: number }) {
  const members = membersOf(value)
  const tabIndex = useTabStop()
  const [open, setOpen] = useState(depth < 2 && members.length > 0)
  const page = useContext(PageSize)
  const [shown, setShown] = useState(page)
  const rest = members.length - shown
  const hidden = members.length > 0 && !open ? members.length : Math.max(0, rest)
  useOutOfView(hidden, 'member', () => {
    setOpen(true)
    setShown(members.length)
  })
  return (
    <li>
      <div className={line}>
        <button
          type="button"
          tabIndex={tabIndex}
          className="inline-flex min-h-[1.5rem] items-center gap-1.5"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'down' : 'right'} className="size-3 text-code-muted" />
          {name === null ? null : <Key name={name} />}
          <span className="text-code-muted">{sizeWords(value, members.length, depth)}</span>
        </button>
      </div>
      {open ? (
        <ul className="ps-4.5">
          {members.slice(0, shown).map(([key, member]) => (
            <Node key={key} name={key} value={member} depth={depth + 1} />
          ))}
          {rest > 0 ? (
            <li>
              <div className={leaf}>
                <TextButton tabIndex={tabIndex} onClick={() => setShown(shown + pageSize)}>
                  {t('view.more', { count: rest })}
                </TextButton>
              </div>
            </li>
          ) : null}
        </ul>
      ) : null}
    </li>
  )
}

const Key = ({ name }: { name: string }) => (
  <span className="max-w-[60%] flex-none text-start whitespace-pre-wrap text-code-key">
    <ForeignText text={drawableText(name, shortText)} />
    <span className="text-code-muted">:</span>
  </span>
)

/** A primitive JSON value. */
export function JsonLeaf({ value }: { value: string | number | boolean | null }) {
  return typeof value === 'string' ? (
    <JsonText text={value} />
  ) : (
    <span className="text-code-value">{String(value)}</span>
  )
}

/** A long text is cut to what fits in view, and says so. */
function JsonText({ text }: { text: string }) {
  const [all, setAll] = useState(false)
  const quoted = drawableText(quotedJson(text), judgedLimits)
  const { shown, hidden, cut } = clipLines([{ text: quoted }], all ? Infinity : shownRows)
  useOutOfView(hidden, 'line', () => setAll(true))
  const tabIndex = useTabStop()
  return (
    <span className="text-code-string">
      <NotedText text={shown[0]?.text ?? ''} reading="code" />
      {hidden > 0 ? (
        <>
          {'… '}
          <TextButton tabIndex={tabIndex} onClick={() => setAll(true)}>
            {t('view.whole-line', { characters: cut })}
          </TextButton>
        </>
      ) : null}
    </span>
  )
}

/** As JSON, but characters that JSON would escape by itself are kept so that they can be marked. */
const quotedJson = (value: string): string =>
  `"${value.replace(/["\\\n\t]/g, (character) => JSON.stringify(character).slice(1, -1))}"`

function membersOf(value: object & JsonValue): readonly (readonly [string, JsonValue])[] {
  if (isJsonObject(value)) return Object.entries(value)
  return (value as readonly JsonValue[]).map((member, index) => [String(index), member] as const)
}

const sizeWords = (value: object, count: number, depth: number): string =>
  t(Array.isArray(value) ? 'view.list' : 'view.object', { outermost: depth === 0, count })
