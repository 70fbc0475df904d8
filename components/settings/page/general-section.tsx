'use client'

import { useId, useState, useSyncExternalStore, type ReactNode } from 'react'
import { SaidText } from '@/components/ui/foreign-text'
import { hint, rows } from '@/components/ui/recipes/choice'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { useLanguage } from '@/components/ui/use-language'
import { languages } from '@/lib/base/languages'
import { densities, sendKeys } from '@/lib/client/look'
import { chooseLook, chosenLook, type Look } from '@/lib/wiring/look.browser'
import { languageNames } from '@/lib/base/languages'
import { t } from '@/lib/i18n/t'
import { section, sectionHead, settingRow, settingsNote } from '../settings-look'

const sendNames = { enter: 'Enter', 'mod-enter': 'Ctrl/⌘+Enter' } as const
const themes = ['system', 'light', 'dark'] as const

/** Language, theme, density and keys: in the browser's cookies, so that the first HTML has them. */
export function GeneralSection() {
  const heading = useId()
  const language = useLanguage()
  const { theme, density, sendKey } = useChosenLook()
  const [failed, setFailed] = useState(false)
  const choose = async (look: Partial<Look>) => setFailed(!(await chooseLook(look)))
  return (
    <section className={section()} aria-labelledby={heading}>
      <h2 className={sectionHead()} id={heading}>
        {t('preferences.general')}
      </h2>
      <p className={settingsNote()}>{t('preferences.general-about')}</p>
      <div className={rows()}>
        <Row label={t('preferences.language')} about={t('preferences.language-about')}>
          <SegmentedControl
            label={t('preferences.language')}
            value={language}
            options={languages.map((value) => ({ value, label: languageNames[value] }))}
            onChange={(value) => void choose({ language: value })}
          />
        </Row>
        <Row label={t('preferences.theme')}>
          <SegmentedControl
            label={t('preferences.theme')}
            value={theme}
            options={themes.map((value) => ({ value, label: t(`preferences.theme.${value}`) }))}
            onChange={(value) => void choose({ theme: value })}
          />
        </Row>
        <Row label={t('preferences.density')} about={t('preferences.density-about')}>
          <SegmentedControl
            label={t('preferences.density')}
            value={density}
            options={densities.map((value) => ({ value, label: t(`preferences.density.${value}`) }))}
            onChange={(value) => void choose({ density: value })}
          />
        </Row>
        <Row
          label={t('preferences.send')}
          about={t(sendKey === 'enter' ? 'preferences.send-enter' : 'preferences.send-mod')}
        >
          <SegmentedControl
            label={t('preferences.send')}
            value={sendKey}
            options={sendKeys.map((value) => ({ value, label: sendNames[value] }))}
            onChange={(value) => void choose({ sendKey: value })}
          />
        </Row>
      </div>
      <p className="mt-2 text-sm text-danger" role="alert">
        {failed ? t('preferences.language-failed') : ''}
      </p>
    </section>
  )
}

function Row({ label, about, children }: { label: string; about?: string; children: ReactNode }) {
  return (
    <div className={settingRow({ control: 'words' })}>
      <div>
        <SaidText text={label} />
        {about === undefined ? null : <small className={hint()}>{about}</small>}
      </div>
      {children}
    </div>
  )
}

/** As text: a new object each time would loop. */
const current = () => JSON.stringify(chosenLook())
const none = JSON.stringify({ theme: 'system', language: 'en', density: 'comfortable', sendKey: 'enter' })

/** Whoever chooses it, here or in another tab: the page's element then wears it. */
function useChosenLook(): Look {
  const look = useSyncExternalStore(watchElement, current, () => none)
  return JSON.parse(look) as Look
}

function watchElement(listener: () => void): () => void {
  const watcher = new MutationObserver(listener)
  watcher.observe(document.documentElement, { attributes: true })
  return () => watcher.disconnect()
}
