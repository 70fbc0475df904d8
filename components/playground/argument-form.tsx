'use client'

import { useId, type KeyboardEvent } from 'react'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { ToolDefinition } from '@/lib/tools/tool'
import { fieldText, formFields, withField, type FormField } from './form-fields'
import { parseArguments } from './parse-arguments'

export interface ArgumentFormProps {
  readonly tool: ToolDefinition
  /** The arguments as JSON; the form is another view of this text. */
  readonly text: string
  readonly onChange: (text: string) => void
  readonly onSubmit: () => void
}

/** A tool's arguments as fields. The JSON stays the truth: a text that is no object is mended there first. */
export function ArgumentForm({ tool, text, onChange, onSubmit }: ArgumentFormProps) {
  const args = parseArguments(text)
  if (!args.ok) {
    return (
      <p className="trouble">{args.error.replace(' Nothing ran.', '')} The form shows it once the JSON is mended.</p>
    )
  }
  const fields = formFields(tool.parameters)
  const checked = tool.validate(args.value)
  const isKnown = (key: string) => fields.some((field) => field.key === key)
  const extra = Object.keys(args.value).filter((key) => !isKnown(key))
  const change = (next: JsonObject) => onChange(JSON.stringify(next, null, 2))
  return (
    <div className="argument-form" role="group" aria-label={`Arguments of ${tool.name}`}>
      {fields.length === 0 ? <p className="muted">This tool takes no arguments.</p> : null}
      {fields.map((field) => (
        <Field
          key={field.key}
          field={field}
          value={args.value[field.key]}
          onSubmit={onSubmit}
          onType={(typed) => change(withField(args.value, field, typed))}
        />
      ))}
      {extra.length > 0 ? (
        <p className="muted">The JSON also holds {extra.join(', ')}, which this tool does not know.</p>
      ) : null}
      <p className={checked.ok ? 'form-check muted' : 'form-check bad'} role="status">
        {checked.ok ? 'Fits the tool’s schema.' : checked.message}
      </p>
    </div>
  )
}

interface FieldProps {
  readonly field: FormField
  readonly value: JsonValue | undefined
  readonly onType: (typed: string) => void
  readonly onSubmit: () => void
}

function Field({ field, value, onType, onSubmit }: FieldProps) {
  const id = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onSubmit()
  }
  const common = { id, 'aria-describedby': `${id}-hint`, onKeyDown }
  const shown = isJsonObject(value) || Array.isArray(value) ? JSON.stringify(value) : fieldText(field, value)
  return (
    <div className="form-field">
      <label htmlFor={id}>
        <code>{field.key}</code>
        {field.required ? null : <span className="muted"> optional</span>}
      </label>
      {field.kind === 'boolean' || field.kind === 'choice' ? (
        <select {...common} className="field" value={shown} onChange={(event) => onType(event.target.value)}>
          <option value="">not given</option>
          {(field.kind === 'boolean' ? [true, false] : field.options).map((option) => (
            <option key={fieldText(field, option)} value={fieldText(field, option)}>
              {fieldText(field, option)}
            </option>
          ))}
        </select>
      ) : field.kind === 'long-text' || field.kind === 'json' ? (
        <textarea
          {...common}
          className="field area code"
          rows={4}
          spellCheck={false}
          value={shown}
          onChange={(event) => onType(event.target.value)}
        />
      ) : (
        <input
          {...common}
          className="field"
          type="text"
          inputMode={field.kind === 'number' ? 'decimal' : 'text'}
          spellCheck={false}
          autoComplete="off"
          value={shown}
          onChange={(event) => onType(event.target.value)}
        />
      )}
      <small id={`${id}-hint`} className="muted">
        {field.hint}
      </small>
    </div>
  )
}
