'use client'

import { asForeign, labelOf } from '@/lib/base/foreign-text/foreign'
import { Button } from '@/components/ui/button'
import { t } from '@/lib/i18n/t'
import { modelsNote } from './models-look'
import { newConfig } from './new-config'
import type { AddFormProps } from './own-server-form'
import { useFocusHere } from './use-focus-here'

/** A model that needs no server: another chat, and a person who copies. */
export function PasteForm({ taken, onAdd, isWanted }: AddFormProps & { isWanted: boolean }) {
  const start = useFocusHere<HTMLElement>(isWanted, 'button')
  const called = t('paste.name')
  const add = () => onAdd(newConfig({ kind: 'paste', name: 'any chat', label: called }, taken))
  return (
    <section ref={start} className="mt-4 grid justify-items-start gap-2">
      <h3 className="text-md font-strong">{called}</h3>
      <p className={modelsNote()}>{t('paste.about')}</p>
      <Button
        onClick={() => void add()}
        aria-label={labelOf(t('models-dialog.add-named', { name: asForeign(called) }))}
      >
        {t('models-dialog.add')}
      </Button>
    </section>
  )
}
