'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useState, Fragment } from 'react'
import { attachToMessage } from '@/components/context/attach-to-message'
import { CodeBlock } from '@/components/ui/code/code-block'
import { DisplayView } from '@/components/ui/data/display-view'
import { DataTable } from '@/components/ui/data/data-table'
import { drawableText } from '@/components/ui/text/drawable-text'
import { SentenceText, ForeignText } from '@/components/ui/text/foreign-text'
import { JsonTree, JsonLeaf } from '@/components/ui/code/json-tree'
import { SegmentedControl } from '@/components/ui/forms/segmented-control'
import { TextButton } from '@/components/ui/controls/button'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { quotedRefusal } from '@/lib/i18n/quoted-refusal'
import type { CallOutcome } from '@/lib/shared/conversation/conversation'
import { shownDo } from '@/components/ui/recipes/surface'
import { tableHead, codeBox } from '@/components/ui/recipes/recipe'
import { t } from '@/lib/i18n/t'

type Flat = { readonly [name: string]: string | number | boolean | null }

/** More than that is read as a tree, which shows a page at a time. */
const MAX_ROWS = 20

/** An object of a few texts, numbers and the like, with no object or list in it. */
function isFlat(value: JsonObject): value is Flat {
  const members: readonly JsonValue[] = Object.values(value)
  const isShort = members.length > 0 && members.length <= MAX_ROWS
  return isShort && members.every((member) => member === null || typeof member !== 'object')
}

/** Such an object as names and values below each other. */
function TwoColumns({ label, value }: { label: string; value: Flat }) {
  return (
    <div className={codeBox({ pad: 'tree' })} dir="ltr" role="group" aria-label={labelOf(label)}>
      <dl className="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-5 gap-y-0.5">
        {Object.entries(value).map(([name, member]) => (
          <Fragment key={name}>
            <dt className="wrap-anywhere whitespace-pre-wrap text-code-key">
              <ForeignText text={drawableText(name)} />
            </dt>
            <dd className="wrap-anywhere whitespace-pre-wrap tabular-nums">
              <JsonLeaf value={member} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </div>
  )
}

interface TableRows {
  readonly columns: readonly string[]
  readonly rows: readonly JsonObject[]
}

const MAX_COLUMNS = 12

/** A list of at least two flat objects as a table; null for anything else. Columns come in the order of their first row. */
function tableRows(value: JsonValue): TableRows | null {
  if (!Array.isArray(value) || value.length < 2) return null
  const rows = (value as readonly JsonValue[]).filter(isJsonObject)
  if (rows.length !== value.length) return null
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (columns.length === 0 || columns.length > MAX_COLUMNS) return null
  const flat = rows.every((row) => Object.values(row).every((cell) => cell === null || typeof cell !== 'object'))
  return flat ? { columns, rows } : null
}

/** Longer texts, and texts of several lines, are read as text rather than as a string in a tree. */
const LONG_TEXT = 120
/** Things that a run displayed, at a time. */
const displayPage = 20

/**
 * A result as people read it: displays first, a flat object in two columns, other JSON as a tree, long texts as text. Behind
 * a picture the value is folded: what is to be seen was made to be seen.
 */
export function ResultView({ outcome: { displays, result } }: { outcome: CallOutcome }) {
  const isSeen = displays.some(isPicture)
  return (
    <>
      <Displays displays={displays} />
      {isSeen ? <FoldedValue value={result} /> : <ValueView value={result} />}
    </>
  )
}

/** What a run displayed, a page at a time. */
export function Displays({ displays: all }: Pick<CallOutcome, 'displays'>) {
  const [shown, setShown] = useState(displayPage)
  // What the page of a tool is given is seen in that page.
  const displays = all.filter(({ kind }) => kind !== 'app')
  const rest = displays.length - shown
  return (
    <>
      {displays.some(isPicture) ? <span data-picture="" /> : null}
      {displays.slice(0, shown).map((display, index) => (
        <DisplayView key={index} {...display} number={index + 1} onAttach={attachPicture} />
      ))}
      {rest > 0 ? (
        <p data-shown="" className={shownDo()}>
          <TextButton onClick={() => setShown(shown + displayPage)}>
            {t('card-evidence.more', { count: rest })}
          </TextButton>
        </p>
      ) : null}
    </>
  )
}

const attachPicture = (file: File) => void attachToMessage(Promise.resolve([file]))

/** Shown as something to look at, rather than as text. */
export const isPicture = ({ kind }: CallOutcome['displays'][number]): boolean =>
  kind !== 'text' && kind !== 'json' && kind !== 'app'

/** "11 values · show" */
function FoldedValue({ value }: { value: JsonValue }) {
  const [open, setOpen] = useState(false)
  const count = countLeaves(isOfRun(value) ? (value['value'] ?? null) : value)
  return (
    <>
      <p data-shown="" className={shownDo({}, 'pt-1')}>
        <span>
          {t('card.values', { count })}
          {' · '}
          <TextButton aria-expanded={open} onClick={() => setOpen(!open)}>
            {t(open ? 'card.hide' : 'card.show')}
          </TextButton>
        </span>
      </p>
      {open ? <ValueView value={value} /> : null}
    </>
  )
}

/** Texts, numbers, yes, no and nothing: what a value holds in the end. */
function countLeaves(value: JsonValue): number {
  let count = 0
  const open: JsonValue[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === null || typeof next !== 'object') count += 1
    else for (const member of Object.values(next) as readonly JsonValue[]) open.push(member)
  }
  return count
}

/** What code's result has beside its value. */
const besideValue: ReadonlySet<string> = new Set(['console', 'displayed', 'files', 'files_not_kept', 'files_note'])

/** A result whole: whatever the model is sent stands here, also what other parts of the card show in their own way. */
export function ValueView({ value }: { value: JsonValue }) {
  if (!isOfRun(value)) return <PlainValue value={value} />
  const { value: inner = null, ...rest } = value
  return (
    <>
      <PlainValue value={inner} />
      {Object.keys(rest).length > 0 ? <JsonTree label={t('card-evidence.beside')} value={rest} members={6} /> : null}
    </>
  )
}

/** The outermost object of code's result is the executor's. Objects of that shape inside are the code's own. */
const isOfRun = (value: JsonValue): value is JsonObject =>
  isJsonObject(value) && 'value' in value && Object.keys(value).every(isOfCode)

/** The value of code; null where it has none, undefined for what is no result of code. */
export const codeValue = (result: JsonValue): JsonValue | undefined =>
  isJsonObject(result) && Object.keys(result).every(isOfCode) ? (result['value'] ?? null) : undefined

const isOfCode = (key: string) => key === 'value' || besideValue.has(key)

function PlainValue({ value }: { value: JsonValue }) {
  const label = resultLabel(null)
  if (typeof value === 'string') return <CodeBlock label={label} text={value} numbered={false} />
  const rows = tableRows(value)
  if (rows) return <TableOrTree table={rows} value={value} name={null} />
  if (!isJsonObject(value)) return <JsonTree label={label} value={value} />
  const { texts, tables, rest } = splitMembers(value)
  return (
    <>
      {isFlat(rest) ? (
        <TwoColumns label={label} value={rest} />
      ) : Object.keys(rest).length > 0 || texts.length + tables.length === 0 ? (
        <JsonTree label={label} value={rest} />
      ) : null}
      {texts.map(([name, text]) => (
        <CodeBlock key={name} label={resultLabel(name)} text={text} numbered={false} />
      ))}
      {tables.map(([name, table, list]) => (
        <TableOrTree key={name} name={name} table={table} value={list} />
      ))}
    </>
  )
}

const resultLabel = (name: string | null): string =>
  name === null ? t('card-evidence.result') : labelOf(t('card-evidence.result-of', { name: asUntrusted(name) }))

/** A list of objects as rows; the tree stays one press away. */
function TableOrTree({ name, table, value }: { name: string | null; table: TableRows; value: JsonValue }) {
  const [view, setView] = useState<'table' | 'tree'>('table')
  const label = resultLabel(name)
  const rows = table.rows.length
  return (
    <div>
      <div className={tableHead()}>
        <span className="text-sm text-muted">
          {name === null ? (
            t('card-evidence.rows', { rows })
          ) : (
            <SentenceText text={t('card-evidence.rows-of', { name: asUntrusted(name), rows })} />
          )}
        </span>
        <SegmentedControl
          label={t('view.how', { label })}
          value={view}
          options={[
            { value: 'table', label: t('card-evidence.table') },
            { value: 'tree', label: t('card-evidence.tree') },
          ]}
          onChange={setView}
        />
      </div>
      {view === 'table' ? (
        <DataTable label={label} columns={table.columns} rows={table.rows} />
      ) : (
        <JsonTree label={label} value={value} />
      )}
    </div>
  )
}

interface Members {
  readonly texts: readonly (readonly [string, string])[]
  readonly tables: readonly (readonly [string, TableRows, JsonValue])[]
  readonly rest: JsonObject
}

/** Long texts and tables stand by themselves. */
function splitMembers(value: JsonObject): Members {
  const texts: (readonly [string, string])[] = []
  const tables: (readonly [string, TableRows, JsonValue])[] = []
  const rest: [string, JsonValue][] = []
  for (const [name, member] of Object.entries(value)) {
    const table = tableRows(member)
    if (typeof member === 'string' && (member.length > LONG_TEXT || member.trimEnd().includes('\n'))) {
      texts.push([name, member])
    } else if (table) tables.push([name, table, member])
    else rest.push([name, member])
  }
  return { texts, tables, rest: Object.fromEntries(rest) }
}

/** The result as text for the clipboard. */
export const resultText = (outcome: Pick<CallOutcome, 'result'>): string =>
  typeof outcome.result === 'string' ? outcome.result : JSON.stringify(outcome.result, null, 2)

/** The sentence of a failure, for `foreignIn`: tools put it into `error`. One that no line can hold is cut; the result has all of it. */
export function failureSentence({ result, said: reasons }: CallOutcome): string {
  const known = reasons?.map(({ reason, values }) => quotedRefusal({ reason, values, message: '' })) ?? []
  // A reason of another build has no words here.
  if (known.length > 0 && !known.includes('')) return drawableText(t('card-evidence.why', { all: known }))
  const said = typeof result === 'string' ? result : isJsonObject(result) ? result.error : undefined
  return typeof said === 'string' ? drawableText(said) : t('card-evidence.no-why')
}
