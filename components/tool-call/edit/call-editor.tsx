'use client'

import { useEffect, useId, useReducer, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { parameterAbout } from '@/lib/i18n/labels'
import { t } from '@/lib/i18n/t'
import { SchemaForm } from '@/components/schema-form/schema-form'
import { Button } from '@/components/ui/controls/button'
import { Kbd } from '@/components/ui/controls/kbd'
import { SegmentedControl } from '@/components/ui/forms/segmented-control'
import { Select } from '@/components/ui/forms/select'
import { Wait } from '@/components/ui/page/wait'
import type { Refusal } from '@/lib/base/app-error'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { quotedRefusal } from '@/lib/i18n/quoted-refusal'
import type { JsonObject } from '@/lib/base/json'
import { withMember } from '@/components/schema-form/field-kind'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { CallToWrite, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import { unsent } from '@/lib/client/wiring/unsent.browser'
import { rawProblem, reduceDraft, startCallDraft, type CallDraft, storedDraft, withStoredDraft } from './call-draft'
import { textArea } from '@/components/ui/recipes/field'
import { cardBody, footButton, footEnd, cardBar, CardFoot } from '../styles/card'

/** As high as its text, including wrapped lines; browsers without support use the rows. */
const codeField = textArea({ holds: 'code' }, 'max-h-104 min-h-19')

export interface CallEditorProps {
  /** The call to edit, or what could be read of it. */
  readonly call: CallToWrite
  readonly tools: readonly ToolSpec[]
  /** The tool can be changed: these names first, then the others. Null: the tool is fixed. */
  readonly nearest: readonly string[] | null
  /** The parameter that contains code, for tools that run some. */
  readonly codeOf: (tool: string) => string | null
  /** The key that keeps an unsaved draft across a reload; left out: it is not kept. */
  readonly keptAs?: string
  /** Resolves to a sentence if it could not be stored. */
  readonly onSave: (call: CallToWrite) => Promise<string | null>
  readonly onCancel: () => void
}

/**
 * Edits a call before it runs: a form with the schema's checks, and the raw text. Both views have the same arguments.
 */
export default function CallEditor({ call, tools, nearest, codeOf, keptAs, onSave, onCancel }: CallEditorProps) {
  const offered = tools.filter((tool) => !tool.disabled)
  const first = nearest?.find((name) => offered.some((tool) => tool.name === name))
  const [draft, on] = useReducer(
    reduceDraft,
    nearest === null ? call : { ...call, name: first ?? offered[0]?.name ?? call.name },
    (written) => startKept(written, keptAs),
  )
  const [started] = useState(draft)
  useEffect(() => {
    if (keptAs !== undefined && draft !== started && draft.saving.kind === 'none')
      unsent.set(keptAs, storedDraft(draft))
  }, [keptAs, draft, started])
  const forget = () => {
    if (keptAs !== undefined) unsent.set(keptAs, null)
  }
  const abandon = () => {
    forget()
    onCancel()
  }
  const { name, arguments: args, view, saving } = draft
  const setArgs = (next: JsonObject) => on({ type: 'arguments-changed', arguments: next })
  const root = useRef<HTMLFormElement>(null)
  const problemId = useId()
  useEffect(() => root.current?.querySelector<HTMLElement>('[data-fields] :is(input, textarea, select)')?.focus(), [])

  const tool = tools.find((one) => one.name === name)
  const code = codeOf(name)
  const { problem } = toolContextBuilder.readCall({ name, arguments: args }, tools)
  const issues = problem?.code === 'invalid-arguments' ? problem.issues : []
  const typing = rawProblem(draft)
  const fits = problem === null && typing === null
  const busy = saving.kind === 'under-way'

  const save = async () => {
    if (!fits || busy) return
    on({ type: 'saving-started' })
    const refused = await onSave({ name, arguments: args })
    // Once stored, the card continues without the editor.
    if (refused === null) forget()
    else on({ type: 'saving-refused', problem: refused })
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
      else abandon()
    },
  }

  const names = [...new Set([...(nearest ?? []), ...offered.map((one) => one.name)])].filter((one) =>
    offered.some((known) => known.name === one),
  )
  return (
    <form ref={root} data-part="body" className={cardBody()} aria-label={t('card-edit.label')} {...listeners}>
      <div className={cardBar()}>
        {nearest === null ? null : (
          <Select
            boxed
            label={t('card-edit.tool')}
            value={name}
            options={names.map((one) => ({ value: one, label: one }))}
            onChange={(chosen) => on({ type: 'tool-chosen', name: chosen })}
          />
        )}
        <SegmentedControl
          label={t('card-edit.view')}
          value={view.kind}
          options={[
            { value: 'form', label: t('card-edit.form') },
            { value: 'raw', label: code === null ? 'JSON' : t('card-edit.code') },
          ]}
          onChange={(chosen) => on({ type: 'view-chosen', view: chosen })}
        />
      </div>
      <div data-fields="" className="px-3.5 py-2.5 narrow:px-3">
        {view.kind === 'form' ? (
          <SchemaForm
            schema={tool?.parameters ?? {}}
            value={args}
            onChange={setArgs}
            issues={issues}
            about={(parameter) => parameterAbout(name, parameter)}
          />
        ) : code === null ? (
          <textarea
            className={codeField}
            aria-label={t('card-edit.json')}
            aria-describedby={problemId}
            aria-invalid={typing !== null}
            spellCheck={false}
            rows={Math.min(20, view.text.split('\n').length + 1)}
            value={view.text}
            onChange={(event) => on({ type: 'raw-typed', text: event.target.value })}
          />
        ) : (
          <CodeField args={args} name={code} onChange={setArgs} />
        )}
      </div>
      <p id={problemId} className="min-h-5 px-3.5 text-sm text-pretty text-danger narrow:px-3" role="status">
        <SentenceText
          text={
            problemText((saving.kind === 'refused' ? saving.problem : null) ?? typing) ??
            (view.kind === 'raw' ? issues.map(wordsOf).join(' ') : '')
          }
        />
      </p>
      {busy ? <Wait className="px-3.5 pb-2 narrow:px-3" what={t('wait.save-call')} /> : null}
      <CardFoot>
        <Button type="submit" className={footButton} disabled={!fits || busy}>
          {t('card-edit.save')} <Kbd keys="mod+enter" />
        </Button>
        <Button look="quiet" className={footButton} onClick={abandon}>
          {t('card-edit.cancel')}
        </Button>
        <span className={footEnd({ holds: 'words' })}>{t('card-edit.about')}</span>
      </CardFoot>
    </form>
  )
}

function CodeField({ args, name, onChange }: { args: JsonObject; name: string; onChange: (args: JsonObject) => void }) {
  const code = Object.hasOwn(args, name) ? args[name] : ''
  const text = typeof code === 'string' ? code : JSON.stringify(code)
  return (
    <textarea
      className={codeField}
      aria-label={t('card-edit.code')}
      spellCheck={false}
      rows={Math.min(24, Math.max(6, text.split('\n').length + 1))}
      value={text}
      onChange={(event) => onChange(withMember(args, name, event.target.value))}
    />
  )
}

const wordsOf = ({ path, message }: { readonly path: string; readonly message: string }): string =>
  t('card-edit.issue', { path, issue: /[.!?]$/.test(message) ? message : `${message}.` })

const problemText = (problem: string | Refusal | null): string | null =>
  problem === null || typeof problem === 'string' ? problem : quotedRefusal(problem)

/** Restores what was typed before a reload. Raw text is parsed again, which reports errors. */
function startKept(call: CallToWrite, keptAs: string | undefined): CallDraft {
  const draft = withStoredDraft(startCallDraft(call), keptAs === undefined ? null : unsent.get(keptAs))
  return draft.view.kind === 'raw' ? reduceDraft(draft, { type: 'raw-typed', text: draft.view.text }) : draft
}
