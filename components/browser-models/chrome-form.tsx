'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Progress } from '@/components/ui/page/progress'
import { t } from '@/lib/i18n/t'
import {
  prepareChromeModel,
  type ChromeAvailability,
  type ChromeLanguageModel,
} from '@/lib/client/browser-models/chrome/prompt-api'
import { newConfig, modelsNote } from './new-config'
import type { AddFormProps } from './own-server-form'

/**
 * Adds the browser's built-in model, which the browser downloads. Renders nothing if the browser doesn't support it.
 */
export function ChromeForm({ model, taken, onAdd }: AddFormProps & { readonly model: ChromeLanguageModel }) {
  const [state, setState] = useState<ChromeAvailability | null>(null)
  const [part, setPart] = useState<number | null>(null)
  /** The browser's own error message. */
  const [problem, setProblem] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => {
    let wanted = true
    void model.availability().then(
      (found) => wanted && setState(found),
      () => wanted && setState('unavailable'),
    )
    return () => {
      wanted = false
      running.current?.abort()
    }
  }, [model])
  if (state === null || state === 'unavailable') return null
  const add = async () => {
    const abort = new AbortController()
    running.current = abort
    setProblem(null)
    setPart(0)
    try {
      const contextTokens = await prepareChromeModel(model, setPart, abort.signal)
      await onAdd(
        newConfig({ kind: 'chrome', name: 'built-in', label: t('models-dialog.chrome-label'), contextTokens }, taken),
      )
    } catch (error) {
      if (!abort.signal.aborted) setProblem(error instanceof Error ? error.message : '')
    }
    setPart(null)
  }
  const words = t(state === 'available' ? 'chrome.available' : 'chrome.downloadable')
  return (
    <section className="grid justify-items-start gap-2">
      <h3 className="text-md font-strong">{t('models-dialog.chrome')}</h3>
      <p className={modelsNote()}>
        {problem === null ? words : <SentenceText text={t('chrome.failed', { why: problem })} />}
      </p>
      {part === null || state === 'available' ? null : (
        <Progress
          className="w-full"
          what={t('chrome.downloading', { percent: Math.round(part * 100) })}
          done={part}
          of={1}
          cancel={{ label: t('wait.cancel'), run: () => running.current?.abort() }}
        />
      )}
      <Button onClick={() => void add()} disabled={part !== null}>
        {t(state === 'available' ? 'models-dialog.add' : 'models-dialog.chrome-add')}
      </Button>
    </section>
  )
}
