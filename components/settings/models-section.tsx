'use client'

import { useEffect, useState, useId } from 'react'
import { PageLink } from '@/components/ui/page/page-head'
import { textButton } from '@/components/ui/recipes/button'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { modelLabel } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import { useChat } from '@/components/context/chat-context'
import { hint, rows } from '@/components/ui/recipes/field'
import { Switch } from '@/components/ui/forms/switch'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { rememberSight } from '@/lib/client/browser/remembered-models'
import { labStorage } from '@/lib/client/wiring/models/lab-storage.browser'
import { chosenSight, seesImages, withSight } from '@/lib/shared/models/sees-images'
import { atEnd, section, sectionHead, settingRow, settingsNote } from './settings-styles'
import type { SectionProps } from './prompt-section'
import { Button } from '@/components/ui/controls/button'
import { lazyPart } from '@/components/ui/page/lazy-part'

/**
 * The shown tab, stored in the address as `#<prefix><id>`, so that it can be linked and survives a reload. Choosing a
 * tab adds no history entry.
 */
export function useAddressTab<T extends string>(ids: readonly [T, ...T[]], prefix: string) {
  const [tab, setTab] = useState<T>(ids[0])
  useEffect(() => {
    const look = () => {
      const asked = ids.find((id) => window.location.hash === `#${prefix}${id}`)
      if (asked) setTab(asked)
    }
    look()
    window.addEventListener('hashchange', look)
    return () => window.removeEventListener('hashchange', look)
  }, [ids, prefix])
  const choose = (wanted: string) => {
    const id = ids.find((one) => one === wanted)
    if (!id) return
    setTab(id)
    putFragment(`#${prefix}${id}`)
  }
  return { tab, choose }
}

/** Keeps the router's history state. */
export function putFragment(fragment: string): void {
  const { pathname, search } = window.location
  window.history.replaceState(window.history.state, '', `${pathname}${search}${fragment}`)
}

/** About Nod, not this conversation: the drawer's last section. */
export const AboutSection = () => (
  <p className={section({}, 'text-sm text-muted')}>
    {t('chat-settings.about')}{' '}
    <PageLink className={textButton()} href="/licences">
      {t('chat-settings.licences')}
    </PageLink>
  </p>
)

const ModelsDialog = lazyPart(() => import('@/components/browser-models/models-dialog'), {
  what: () => t('chat-settings.models'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** A link to this browser's models. */
export function ModelsSection() {
  const heading = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        {t('chat-settings.models')}
      </h3>
      <p className={settingsNote()}>{t('chat-settings.models-about')}</p>
      <Button onClick={() => setOpen(true)}>{t('chat-settings.models-open')}</Button>
      {isOpen ? <ModelsDialog onClose={() => setOpen(false)} /> : null}
    </section>
  )
}

/** Whether the chat's model receives images, and the source of that information. */
export function ImagesSection({ settings, save }: SectionProps) {
  const heading = useId()
  const model = useChat((state) => state.models?.models.find(({ id }) => id === settings.model))
  if (!model) return null
  const listed = model.seesImages ?? null
  const known = { true: 'listed', false: 'blind', null: 'unknown' } as const
  const why = chosenSight(settings) === null ? known[`${listed}`] : 'said'
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        {t('chat-settings.images')}
      </h3>
      <div className={rows()}>
        <div className={settingRow()}>
          <div>
            {t('chat-settings.images-send')}
            <small className={hint()}>
              <SentenceText text={t(`chat-settings.images-${why}`, { model: asUntrusted(modelLabel(model)) })} />
            </small>
          </div>
          <Switch
            className={atEnd()}
            label={t('chat-settings.images-send')}
            checked={seesImages(settings, model)}
            onChange={(sees) => {
              rememberSight(labStorage(), settings.model, sees)
              void save((now) => withSight(now, sees))
            }}
          />
        </div>
      </div>
    </section>
  )
}
