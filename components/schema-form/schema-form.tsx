'use client'

import { useId, useState } from 'react'
import { Button, IconButton } from '@/components/ui/controls/button'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { checkBox, field as input, textArea } from '@/components/ui/recipes/field'
import { cx } from '@/components/ui/recipes/recipe'
import { Select } from '@/components/ui/forms/select'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { quotedRefusal } from '@/lib/i18n/quoted-refusal'
import type { ArgumentIssue } from '@/lib/protocols/types/segment'
import { t } from '@/lib/i18n/t'
import { formFields, readJsonField, readNumber, withMember, type FieldKind, type FormField } from './field-kind'

const codeInput = input({}, 'font-mono text-mono')

export interface SchemaFormProps {
  /** JSON Schema of type object. */
  readonly schema: JsonObject
  /** The source of truth: contains all input, even if it is not valid yet. */
  readonly value: JsonObject
  readonly onChange: (value: JsonObject) => void
  /** Errors by dotted path; shown at their field. */
  readonly issues: readonly ArgumentIssue[]
  /** A parameter's purpose in the reader's language, if there is one; otherwise its description is used. */
  readonly about?: (name: string) => string | null
}

/** A form for a tool's arguments, made from its JSON Schema. Its only state is half-typed text. */
export function SchemaForm({ schema, value, onChange, issues, about }: SchemaFormProps) {
  const fields = formFields(schema, value)
  if (fields.length === 0) return <p className="px-3.5 py-3 text-sm text-muted">{t('form.no-arguments')}</p>
  const general = issues.filter(({ path }) => path === '')
  return (
    <div className="grid gap-3">
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          description={about?.(field.name) ?? field.description}
          value={Object.hasOwn(value, field.name) ? value[field.name] : undefined}
          issues={issues.filter(({ path }) => path === field.name || path.startsWith(`${field.name}.`))}
          onChange={(member) => onChange(withMember(value, field.name, member))}
        />
      ))}
      {general.map((issue, index) => (
        <p key={index} className="text-sm text-pretty text-danger" role="alert">
          <SentenceText text={t('form.issue-all', { issue: quotedRefusal(issue) })} />
        </p>
      ))}
    </div>
  )
}

interface FieldProps {
  readonly field: FormField
  readonly description: string
  readonly value: JsonValue | undefined
  readonly issues: SchemaFormProps['issues']
  readonly onChange: (value: JsonValue | undefined) => void
}

function Field({ field, description, value, issues, onChange }: FieldProps) {
  const id = useId()
  const { name, required } = field
  const wrong = issues.length > 0
  const aria: Control['aria'] = {
    id,
    'aria-invalid': wrong,
    ...(wrong || description !== '' ? { 'aria-describedby': `${id}-say` } : {}),
  }
  // Emptying an optional parameter's field removes the parameter.
  const change = (next: JsonValue | undefined) => onChange(next === '' && !required ? undefined : next)
  return (
    <div className="grid justify-items-start gap-1">
      <span className="flex gap-2 text-sm">
        <label htmlFor={id}>
          <code>
            <ForeignText text={name} />
          </code>
        </label>
        {required ? null : <span className="text-muted">{t('form.optional')}</span>}
      </span>
      <FieldControl kind={field.field} name={name} required={required} value={value} aria={aria} onChange={change} />
      {wrong || description !== '' ? (
        <p id={`${id}-say`} className={cx('text-sm text-pretty', wrong ? 'text-danger' : 'text-muted')}>
          <SentenceText text={wrong ? issues.map((issue) => issueWords(name, issue)).join(' ') : description} />
        </p>
      ) : null}
    </div>
  )
}

const issueWords = (name: string, issue: ArgumentIssue): string =>
  issue.path === name
    ? t('form.issue', { issue: quotedRefusal(issue) })
    : t('form.issue-at', { path: asUntrusted(issue.path.slice(name.length + 1)), issue: quotedRefusal(issue) })

interface Control {
  readonly kind: FieldKind
  readonly name: string
  readonly required: boolean
  readonly value: JsonValue | undefined
  readonly aria: { readonly id: string; readonly 'aria-invalid': boolean; readonly 'aria-describedby'?: string }
  readonly onChange: (value: JsonValue | undefined) => void
}

function FieldControl(props: Control) {
  const { kind, value, aria, onChange } = props
  switch (kind.kind) {
    case 'text':
      return kind.lines ? (
        <LongText aria={aria} text={asText(value)} onChange={onChange} />
      ) : (
        <input
          className={codeInput}
          {...aria}
          value={asText(value)}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case 'number':
      return (
        <input
          className={codeInput}
          inputMode="decimal"
          {...aria}
          value={asText(value)}
          onChange={(event) => onChange(readNumber(event.target.value))}
        />
      )
    case 'boolean':
      return (
        <input
          className={checkBox()}
          type="checkbox"
          {...aria}
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      )
    case 'enum':
      return <EnumControl {...props} options={kind.options} />
    case 'list':
      return <ListControl {...props} items={kind.items} />
    case 'json':
      return <JsonControl aria={aria} value={value} onChange={onChange} />
  }
}

/** A value that is not text is shown as JSON, so that a wrong type can be seen and fixed. */
const asText = (value: JsonValue | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

const MAX_ROWS = 16

function LongText({
  text,
  aria,
  onChange,
}: Pick<Control, 'aria'> & { text: string; onChange: (text: string) => void }) {
  const rows = Math.min(MAX_ROWS, Math.max(3, text.split('\n').length + 1))
  return (
    <textarea
      className={textArea({ holds: 'code' }, 'max-h-104 min-h-19')}
      spellCheck={false}
      rows={rows}
      {...aria}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function EnumControl({ name, required, value, aria, onChange, options }: Control & { options: readonly JsonValue[] }) {
  const known = options.findIndex((option) => JSON.stringify(option) === JSON.stringify(value))
  const other = value === undefined ? t('form.not-set') : t('form.none-of-them', { value: asText(value) })
  return (
    <Select
      boxed
      label={name}
      {...aria}
      value={String(known)}
      options={[
        ...(known < 0 || !required ? [{ value: '-1', label: known < 0 ? other : t('form.not-set') }] : []),
        ...options.map((option, index) => ({ value: String(index), label: visibleText(asText(option), 'code') })),
      ]}
      onChange={(chosen) => onChange(chosen === '-1' ? undefined : options[Number(chosen)])}
    />
  )
}

function ListControl({ name, value, aria, onChange, items }: Control & { items: 'text' | 'number' }) {
  const list: readonly JsonValue[] = Array.isArray(value) ? value : []
  const read = (text: string): JsonValue => (items === 'number' ? readNumber(text) : text)
  return (
    <div className="grid w-full justify-items-start gap-1.5" role="group" id={aria.id} aria-label={name}>
      {list.map((item, index) => (
        <div key={index} className="flex w-full items-center gap-2">
          <input
            className={codeInput}
            aria-label={t('form.item', { name, number: index + 1 })}
            value={asText(item)}
            onChange={(event) => onChange(list.with(index, read(event.target.value)))}
          />
          <IconButton
            icon="cross"
            label={t('form.remove', { name, number: index + 1 })}
            onClick={() => onChange(list.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button look="quiet" onClick={() => onChange([...list, ''])}>
        {t('form.add', { name })}
      </Button>
    </div>
  )
}

/** Half-typed JSON is kept as text here and in the value; it becomes JSON once it is valid. */
function JsonControl({ value, aria, onChange }: Pick<Control, 'value' | 'aria' | 'onChange'>) {
  const [typed, setTyped] = useState(() =>
    value === undefined ? '' : isHalfTyped(value) ? value : JSON.stringify(value, null, 2),
  )
  return (
    <LongText
      aria={aria}
      text={typed}
      onChange={(text) => {
        setTyped(text)
        onChange(text === '' ? undefined : readJsonField(text))
      }}
    />
  )
}

const isHalfTyped = (value: JsonValue): value is string =>
  typeof value === 'string' && !isJsonObject(value) && /^\s*[[{]/.test(value)
