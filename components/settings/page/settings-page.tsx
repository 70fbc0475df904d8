'use client'

import { useEffect, useMemo, useState, useId, useSyncExternalStore, type ReactNode } from 'react'
import { useRouter } from 'next/navigation'
import { ChatProvider } from '@/components/context/chat-context'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { changePage } from '@/components/ui/page/page-change'
import { PageHead } from '@/components/ui/page/page-head'
import { Tabs, type TabItem } from '@/components/ui/forms/tabs'
import { useLanguage } from '@/components/ui/page/use-language'
import { createClientStore } from '@/lib/client/state/store'
import { browserChat } from '@/lib/client/wiring/browser'
import { t } from '@/lib/i18n/t'
import { AboutSection, ModelsSection, useAddressTab } from '../models-section'
import { section, sectionHead, settingRow, settingsNote } from '../settings-styles'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { hint, rows } from '@/components/ui/recipes/field'
import { SegmentedControl } from '@/components/ui/forms/segmented-control'
import { languages, languageNames } from '@/lib/base/text/languages'
import { looks } from '@/lib/client/browser/appearance'
import { speechSynthesisOrNull, speechRecognitionOrNull } from '@/lib/base/features.browser'
import { chooseAppearance, chosenAppearance, type Appearance } from '@/lib/client/wiring/page/appearance.browser'

const sendNames = { enter: 'Enter', 'mod-enter': 'Ctrl/⌘+Enter' } as const
const themes = ['system', 'light', 'dark'] as const

/** Language, theme, density and keys, stored in cookies, so that the first HTML has them. */
function GeneralSection() {
  const heading = useId()
  const language = useLanguage()
  const look = useChosenLook()
  const { theme } = look
  const speechAbout = useSpeechAbout()
  const [failed, setFailed] = useState(false)
  const choose = async (chosen: Partial<Appearance>) => setFailed(!(await chooseAppearance(chosen)))
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
        <Row label={t('preferences.text')}>
          <SegmentedControl
            label={t('preferences.text')}
            value={look.text}
            options={looks.text.map((value) => ({ value, label: t(`preferences.text.${value}`) }))}
            onChange={(text) => void choose({ text })}
          />
        </Row>
        <Row label={t('preferences.width')} about={t('preferences.width-about')}>
          <SegmentedControl
            label={t('preferences.width')}
            value={look.width}
            options={looks.width.map((value) => ({ value, label: t(`preferences.width.${value}`) }))}
            onChange={(width) => void choose({ width })}
          />
        </Row>
        <Row label={t('preferences.density')} about={t('preferences.density-about')}>
          <SegmentedControl
            label={t('preferences.density')}
            value={look.density}
            options={looks.density.map((value) => ({ value, label: t(`preferences.density.${value}`) }))}
            onChange={(density) => void choose({ density })}
          />
        </Row>
        <Row label={t('preferences.follow')} about={t(`preferences.follow-${look.follow}`)}>
          <SegmentedControl
            label={t('preferences.follow')}
            value={look.follow}
            options={looks.follow.map((value) => ({ value, label: t(`preferences.follow.${value}`) }))}
            onChange={(follow) => void choose({ follow })}
          />
        </Row>
        <Row
          label={t('preferences.send')}
          about={t(look.send === 'enter' ? 'preferences.send-enter' : 'preferences.send-mod')}
        >
          <SegmentedControl
            label={t('preferences.send')}
            value={look.send}
            options={looks.send.map((value) => ({ value, label: sendNames[value] }))}
            onChange={(send) => void choose({ send })}
          />
        </Row>
        <Row label={t('preferences.speech')} about={speechAbout}>
          <SegmentedControl
            label={t('preferences.speech')}
            value={look.speech}
            options={looks.speech.map((value) => ({ value, label: t(`preferences.speech.${value}`) }))}
            onChange={(speech) => void choose({ speech })}
          />
        </Row>
      </div>
      <p className="mt-2 text-sm text-danger" role="alert">
        {failed ? t('preferences.language-failed') : ''}
      </p>
    </section>
  )
}

/** Where recorded speech and spoken text are sent, and what this browser supports. */
function useSpeechAbout(): string {
  // The server does not know the browser, so hydration must start with the server's text, or React renders the whole
  // page again.
  const can = useSyncExternalStore(watchNothing, abilities, () => 'unknown')
  return can === 'unknown'
    ? ''
    : t('preferences.speech-about', { reads: can.includes('r'), listens: can.includes('l') })
}

const watchNothing = () => () => {}
/** As text: `r` for reading aloud, `l` for listening. */
const abilities = () => `${speechSynthesisOrNull() ? 'r' : ''}${speechRecognitionOrNull() ? 'l' : ''}`

function Row({ label, about, children }: { label: string; about?: string; children: ReactNode }) {
  return (
    <div className={settingRow({ control: 'words' })}>
      <div>
        <SentenceText text={label} />
        {about === undefined ? null : <small className={hint()}>{about}</small>}
      </div>
      {children}
    </div>
  )
}

/** As text, because a new object each time would loop. */
const current = () => JSON.stringify(chosenAppearance())
const none = JSON.stringify({
  theme: 'system',
  language: 'en',
  density: 'comfortable',
  send: 'enter',
  text: 'normal',
  width: 'normal',
  follow: 'end',
  speech: 'off',
} satisfies Appearance)

/** The chosen appearance, also when it is changed elsewhere or in another tab; applied to the page's root element. */
function useChosenLook(): Appearance {
  const look = useSyncExternalStore(watchElement, current, () => none)
  return JSON.parse(look) as Appearance
}

function watchElement(listener: () => void): () => void {
  const watcher = new MutationObserver(listener)
  watcher.observe(document.documentElement, { attributes: true })
  return () => watcher.disconnect()
}

const NewChatsPart = lazyPart(() => import('./new-chats-part'), { what: () => t('preferences.new-chats') })
const PresetPanel = lazyPart(() => import('@/components/presets/preset-panel'), {
  what: () => t('presets.part'),
})
const NotifySection = lazyPart(() => import('../notify-section'), { what: () => t('notify.heading') })
const UseSection = lazyPart(() => import('../use-section'), { what: () => t('chat-settings.use') })

const AttentionPart = lazyPart(() => import('./attention-part'), { what: () => t('attention.title') })
const MemoryPart = lazyPart(() => import('./memory-part'), { what: () => t('memory.part') })

const tabs = ['general', 'new-chats', 'presets', 'memory', 'data'] as const

/** Settings that belong to no chat: appearance in this browser, defaults of new chats, presets, and stored data. */
export function SettingsPage() {
  useLanguage()
  const [page] = useState(browserChat)
  // A store of its own, separate from any open chat's.
  const [store] = useState(createClientStore)
  useEffect(() => {
    page.start()
    const follow = () => {
      const { models } = page.store.getState()
      if (models && models !== store.getState().models) store.dispatch({ type: 'models-loaded', models })
    }
    follow()
    return page.store.subscribe(follow)
  }, [page, store])
  const value = useMemo(() => ({ store, chat: page.chat.actions, calls: page.calls }), [page, store])
  const { tab, choose } = useAddressTab(tabs, '')
  return (
    <ChatProvider value={value}>
      <main className="flex min-h-dvh min-w-0 flex-col">
        <PageHead title={t('preferences.title')} />
        <div className="mx-auto w-full max-w-column pb-12">
          <Tabs
            label={t('preferences.index')}
            keep
            className="sticky top-bar z-above bg-surface px-5 narrow:static narrow:px-3.5"
            chosenId={tab}
            onChoose={choose}
            items={tabs.map(itemOf)}
          />
        </div>
      </main>
    </ChatProvider>
  )
}

const itemOf = (id: (typeof tabs)[number]): TabItem => ({
  id,
  label: t(`preferences.tab.${id}`),
  panel: () => <Part id={id} />,
})

function Part({ id }: { id: (typeof tabs)[number] }) {
  const router = useRouter()
  switch (id) {
    case 'general':
      return (
        <>
          <GeneralSection />
          <NotifySection />
          <AttentionPart />
          <ModelsSection />
          <AboutSection />
        </>
      )
    case 'new-chats':
      return <NewChatsPart />
    case 'presets':
      return (
        <div className={section()}>
          <PresetPanel onBegun={() => changePage(() => router.push('/'))} />
        </div>
      )
    case 'memory':
      return <MemoryPart />
    case 'data':
      return <UseSection />
  }
}
