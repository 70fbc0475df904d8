'use client'

import type { KeyboardEvent } from 'react'
import { cx } from '@/components/ui/recipes/recipe'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { SchemaForm } from '@/components/schema-form/schema-form'
import { quotedRefusal } from '@/lib/i18n/quoted-refusal'
import type { ToolDefinition } from '@/lib/shared/tools/tool'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { parameterAbout } from '@/lib/i18n/labels'
import { t } from '@/lib/i18n/t'
import { parseArguments } from './share-link'

export interface ArgumentFormProps {
  readonly tool: ToolDefinition
  /** The arguments as JSON; the form is another view of this text. */
  readonly text: string
  readonly onChange: (text: string) => void
  readonly onSubmit: () => void
}

/**
 * A tool's arguments as fields. The JSON is the source of truth: a text that is not an object has to be fixed there
 * first.
 */
export function ArgumentForm({ tool, text, onChange, onSubmit }: ArgumentFormProps) {
  const args = parseArguments(text)
  if (!args.ok) {
    return (
      <p className="text-sm text-pretty text-danger">
        <SentenceText text={t('play.form-waits', { problem: quotedRefusal(args.error) })} />
      </p>
    )
  }
  const { name, parameters } = tool.spec
  const { problem } = toolContextBuilder.readCall({ name, arguments: args.value }, [tool.spec])
  const checked = tool.run(args.value)
  const properties = new Set(Object.keys((parameters['properties'] as object | undefined) ?? {}))
  const extra = Object.keys(args.value).filter((key) => !properties.has(key))
  const listeners = {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      onSubmit()
    },
  }
  return (
    <div className="grid gap-3" role="group" aria-label={t('play.arguments-of', { name })} {...listeners}>
      <SchemaForm
        key={name}
        schema={parameters}
        value={args.value}
        about={(parameter) => parameterAbout(name, parameter)}
        onChange={(next) => onChange(JSON.stringify(next, null, 2))}
        issues={problem?.code === 'invalid-arguments' ? problem.issues : []}
      />
      {extra.length > 0 ? <p className="text-sm text-muted">{t('play.extra', { names: extra })}</p> : null}
      <p className={cx('text-sm', checked.ok ? 'text-muted' : 'text-danger')} role="status">
        {checked.ok ? (
          t('play.fits')
        ) : (
          <SentenceText text={t('play.misfits', { all: checked.refusals.map((one) => quotedRefusal(one)) })} />
        )}
      </p>
    </div>
  )
}
