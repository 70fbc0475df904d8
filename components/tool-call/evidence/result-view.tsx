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
import { useCollected } from '@/components/ui/popups/menu'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { quotedRefusal } from '@/lib/i18n/quoted-refusal'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { shownDo } from '@/components/ui/recipes/surface'
import { tableHead, codeBox } from '@/components/ui/recipes/recipe'
import { t } from '@/lib/i18n/t'

type Flat = { readonly [name: string]: string | number | boolean | null }

/** A larger object is shown as a tree, a page at a time. */
const MAX_ROWS = 20

/** A small object of primitive values. */
function isFlat(value: JsonObject): value is Flat {
  const members: readonly JsonValue[] = Object.values(value)
  const isShort = members.length > 0 && members.length <= MAX_ROWS
  return isShort && members.every((member) => member === null || typeof member !== 'object')
}

/** A flat object as names and values in rows. */
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

/**
 * A list of at least two flat objects as a table; null for anything else. Columns are in the order of their first row.
 */
function tableRows(value: JsonValue): TableRows | null {
  if (!Array.isArray(value) || value.length < 2) return null
  const rows = (value as readonly JsonValue[]).filter(isJsonObject)
  if (rows.length !== value.length) return null
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (columns.length === 0 || columns.length > MAX_COLUMNS) return null
  const flat = rows.every((row) => Object.values(row).every((cell) => cell === null || typeof cell !== 'object'))
  return flat ? { columns, rows } : null
}

/** Longer texts, and texts of several lines, are shown as text instead of a string in a tree. */
const LONG_TEXT = 120
/** Displayed items per page. */
const displayPage = 20

/**
 * A result for people: displays first, a flat object in two columns, other JSON as a tree, long texts as text. Below a
 * picture the value is collapsed, because the picture was made to be seen.
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

/** A run's displays, a page at a time. */
export function Displays({ displays: all }: Pick<CallOutcome, 'displays'>) {
  const [shown, setShown] = useState(displayPage)
  // Data for a tool's page is shown in that page.
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

/** Shown as a picture instead of text. */
export const isPicture = ({ kind }: CallOutcome['displays'][number]): boolean =>
  kind !== 'text' && kind !== 'json' && kind !== 'app'

/** "11 values · show", or one line of the card's menu. */
function FoldedValue({ value }: { value: JsonValue }) {
  const [open, setOpen] = useState(false)
  const count = countLeaves(isOfRun(value) ? (value['value'] ?? null) : value)
  const isCollected = useCollected('', [
    { label: t('card.show-values', { count }), isCurrent: open, run: () => setOpen(!open) },
  ])
  if (isCollected) return open ? <ValueView value={value} /> : null
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

/** Counts the primitive values in a value. */
function countLeaves(value: JsonValue): number {
  let count = 0
  const open: JsonValue[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === null || typeof next !== 'object') count += 1
    else for (const member of Object.values(next) as readonly JsonValue[]) open.push(member)
  }
  return count
}

/** Members of a code result besides its value. */
const besideValue: ReadonlySet<string> = new Set(['console', 'displayed', 'files', 'files_not_kept', 'files_note'])

/** A whole result: everything that the model is sent is here, even if other parts of the card also show it. */
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

/** The outermost object of a code result is the executor's. Inner objects of that shape are the code's own. */
const isOfRun = (value: JsonValue): value is JsonObject =>
  isJsonObject(value) && 'value' in value && Object.keys(value).every(isOfCode)

/** The value of code; null if it has none, undefined if it is not a code result. */
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

/** A list of objects as rows; a button switches to the tree. */
function TableOrTree({ name, table, value }: { name: string | null; table: TableRows; value: JsonValue }) {
  const [view, setView] = useState<'table' | 'tree'>('table')
  const label = resultLabel(name)
  const rows = table.rows.length
  const isTable = view === 'table'
  const isCollected = useCollected(label, [
    {
      label: t(isTable ? 'card-evidence.tree' : 'card-evidence.table'),
      run: () => setView(isTable ? 'tree' : 'table'),
    },
  ])
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
        {isCollected ? null : (
          <SegmentedControl
            label={t('view.how', { label })}
            value={view}
            options={[
              { value: 'table', label: t('card-evidence.table') },
              { value: 'tree', label: t('card-evidence.tree') },
            ]}
            onChange={setView}
          />
        )}
      </div>
      {isTable ? (
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

/** Long texts and tables are shown separately. */
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

/**
 * The sentence of a failure, for `foreignIn`: tools put it into `error`. One that does not fit a line is cut; the
 * result has all of it.
 */
export function failureSentence({ result, said: reasons }: CallOutcome): string {
  const known = reasons?.map(({ reason, values }) => quotedRefusal({ reason, values, message: '' })) ?? []
  // A reason of another version has no message here.
  if (known.length > 0 && !known.includes('')) return drawableText(t('card-evidence.why', { all: known }))
  const errorText = typeof result === 'string' ? result : isJsonObject(result) ? result.error : undefined
  return typeof errorText === 'string' ? drawableText(errorText) : t('card-evidence.no-why')
}
