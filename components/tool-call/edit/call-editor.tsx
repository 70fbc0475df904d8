'use client'

import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { SchemaForm } from '@/components/schema-form/schema-form'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { Select } from '@/components/ui/select'
import { isJsonObject, type JsonObject } from '@/lib/base/json'
import { jsonErrorAt } from '@/lib/base/json-error-at'
import { withMember } from '@/components/schema-form/field-kind'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import type { CallToWrite, ToolSpec } from '@/lib/strategies/tool-context-def'

export interface CallEditorProps {
  /** What is edited: the call as it stands, or what could be read of it. */
  readonly call: CallToWrite
  readonly tools: readonly ToolSpec[]
  /** The tool can be chosen: these names first, then the others. Null: the tool stays. */
  readonly nearest: readonly string[] | null
  /** The parameter that is code, for tools that run some. */
  readonly codeOf: (tool: string) => string | null
  /** Gives a sentence when it could not be stored. */
  readonly onSave: (call: CallToWrite) => Promise<string | null>
  readonly onCancel: () => void
}

/** Half-typed JSON of the raw view; null while it is JSON. */
type Typed = { readonly text: string; readonly problem: string | null }

/** Edits a call before it runs: a form with the schema's checks, and the raw text. Both views hold the same arguments. */
export default function CallEditor({ call, tools, nearest, codeOf, onSave, onCancel }: CallEditorProps) {
  const offered = tools.filter((tool) => !tool.disabled)
  const first = nearest?.find((name) => offered.some((tool) => tool.name === name))
  const [name, setName] = useState(nearest === null ? call.name : (first ?? offered[0]?.name ?? call.name))
  const [args, setArgs] = useState<JsonObject>(call.arguments)
  const [view, setView] = useState<'form' | 'raw'>('form')
  const [typed, setTyped] = useState<Typed>({ text: '', problem: null })
  const [state, setState] = useState<{ saving: boolean; problem: string | null }>({ saving: false, problem: null })
  const root = useRef<HTMLFormElement>(null)
  const problemId = useId()
  useEffect(
    () => root.current?.querySelector<HTMLElement>('.call-editor-fields :is(input, textarea, select)')?.focus(),
    [],
  )

  const tool = tools.find((one) => one.name === name)
  const code = codeOf(name)
  const { problem } = toolContextBuilder.readCall({ name, arguments: args }, tools)
  const issues = problem?.code === 'invalid-arguments' ? problem.issues : []
  const fits = problem === null && typed.problem === null

  const show = (next: 'form' | 'raw') => {
    if (next === view) return
    // Text that is no JSON yet stays where it is: going on would lose it.
    if (next === 'form' && typed.problem) return setState({ saving: false, problem: KEEPS_RAW })
    if (next === 'raw') setTyped({ text: JSON.stringify(args, null, 2), problem: null })
    setState({ saving: false, problem: null })
    setView(next)
  }
  const type = (text: string) => {
    const read = readArguments(text)
    setTyped({ text, problem: typeof read === 'string' ? read : null })
    if (typeof read !== 'string') setArgs(read)
  }
  const save = async () => {
    if (!fits || state.saving) return
    setState({ saving: true, problem: null })
    const refused = await onSave({ name, arguments: args })
    // The card goes on without the editor once it is stored.
    if (refused !== null) setState({ saving: false, problem: refused })
  }

  const listeners = {
    onSubmit: (event: FormEvent) => {
      event.preventDefault()
      void save()
    },
    onKeyDown: (event: KeyboardEvent) => {
      const saves = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
      if (event.key !== 'Escape' && !saves) return
      event.preventDefault()
      event.stopPropagation()
      if (saves) void save()
      else onCancel()
    },
  }

  const names = [...new Set([...(nearest ?? []), ...offered.map((one) => one.name)])].filter((one) =>
    offered.some((known) => known.name === one),
  )
  return (
    <form ref={root} className="card-body call-editor" aria-label="Edit the call" {...listeners}>
      <div className="toolbar">
        {nearest === null ? null : (
          <Select
            boxed
            label="Tool"
            value={name}
            options={names.map((one) => ({ value: one, label: one }))}
            onChange={setName}
          />
        )}
        <SegmentedControl
          label="View"
          value={view}
          options={[
            { value: 'form', label: 'Form' },
            { value: 'raw', label: code === null ? 'JSON' : 'Code' },
          ]}
          onChange={show}
        />
      </div>
      <div className="call-editor-fields">
        {view === 'form' ? (
          <SchemaForm schema={tool?.parameters ?? {}} value={args} onChange={setArgs} issues={issues} />
        ) : code === null ? (
          <textarea
            className="field area raw"
            aria-label="Arguments as JSON"
            aria-describedby={problemId}
            aria-invalid={typed.problem !== null}
            spellCheck={false}
            rows={Math.min(20, typed.text.split('\n').length + 1)}
            value={typed.text}
            onChange={(event) => type(event.target.value)}
          />
        ) : (
          <CodeField args={args} name={code} onChange={setArgs} />
        )}
      </div>
      <p id={problemId} className="call-editor-say trouble" role="status">
        {state.problem ?? typed.problem ?? (view === 'raw' ? issues.map(wordsOf).join(' ') : '')}
      </p>
      <div className="card-foot">
        <Button type="submit" className="act" disabled={!fits || state.saving}>
          Save <Kbd keys="mod+enter" />
        </Button>
        <Button look="quiet" className="act" onClick={onCancel}>
          Cancel
        </Button>
        <span className="end muted small">Nothing runs before you press Run. The model is told what you changed.</span>
      </div>
    </form>
  )
}

const KEEPS_RAW = 'The form can’t show this before it is JSON. Mend it, or cancel.'

function CodeField({ args, name, onChange }: { args: JsonObject; name: string; onChange: (args: JsonObject) => void }) {
  const code = Object.hasOwn(args, name) ? args[name] : ''
  const text = typeof code === 'string' ? code : JSON.stringify(code)
  return (
    <textarea
      className="field area raw"
      aria-label="Code"
      spellCheck={false}
      rows={Math.min(24, Math.max(6, text.split('\n').length + 1))}
      value={text}
      onChange={(event) => onChange(withMember(args, name, event.target.value))}
    />
  )
}

/** The arguments, or a sentence that names the place. */
function readArguments(text: string): JsonObject | string {
  const at = jsonErrorAt(text)
  if (at !== null) {
    const before = text.slice(0, at)
    const place = `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`
    return at >= text.trimEnd().length
      ? `This is not JSON yet: it ends too early, in ${place}.`
      : `This is not JSON: ${place}.`
  }
  const value: unknown = JSON.parse(text)
  return isJsonObject(value) ? value : 'The arguments must be one JSON object, such as {"path": "/"}.'
}

const wordsOf = ({ path, message }: { readonly path: string; readonly message: string }): string =>
  `${path === '' ? 'The arguments' : path} ${message}${/[.!?]$/.test(message) ? '' : '.'}`
