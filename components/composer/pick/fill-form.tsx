'use client'

import { useState } from 'react'
import { SchemaForm } from '@/components/schema-form/schema-form'
import { Button } from '@/components/ui/controls/button'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { ForeignText } from '@/components/ui/text/foreign-text'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { t } from '@/lib/i18n/t'

/** Arguments that have to be filled in before an entry is used. */
export interface FillRequest {
  /** Untrusted text: the name of a prompt or a resource. */
  readonly title: string
  readonly fields: readonly { readonly name: string; readonly about: string; readonly required: boolean }[]
  readonly onDone: (values: Readonly<Record<string, string>>) => void
}

const schemaOf = (fields: FillRequest['fields']): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(fields.map(({ name, about }) => [name, { type: 'string', description: about }])),
  required: fields.filter(({ required }) => required).map(({ name }) => name),
})

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The form for a prompt's variables. Nothing is sent: the filled text goes into the message field. */
export function FillForm({ request, onClose }: { request: FillRequest; onClose: () => void }) {
  const [values, setValues] = useState<JsonObject>({})
  const { title, fields, onDone } = request
  const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value)]))
  const isMissing = fields.some(({ name, required }) => required && (given[name] ?? '').trim() === '')
  return (
    <Dialog label={t('pick.fill')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isMissing) onDone(given)
        }}
      >
        <h2 className="mb-3 wrap-anywhere">
          <ForeignText text={title} reading="prose" />
        </h2>
        <SchemaForm schema={schemaOf(fields)} value={values} onChange={setValues} issues={[]} />
        <DialogFoot>
          <Button onClick={onClose}>{t('pick.cancel')}</Button>
          <Button look="ink" type="submit" disabled={isMissing}>
            {t('pick.insert')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
