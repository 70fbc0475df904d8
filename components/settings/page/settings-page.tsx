'use client'

import { useEffect, useMemo, useState } from 'react'
import { useRouter } from 'next/navigation'
import { ChatProvider } from '@/components/context/chat-context'
import { lazyPart } from '@/components/ui/lazy-part'
import { changePage } from '@/components/ui/page-change'
import { PageHead } from '@/components/ui/page-head'
import { Tabs, type TabItem } from '@/components/ui/tabs'
import { useLanguage } from '@/components/ui/use-language'
import { createClientStore } from '@/lib/client/store'
import { browserChat } from '@/lib/wiring/browser'
import { t } from '@/lib/i18n/t'
import { AboutSection } from '../about-section'
import { ModelsSection } from '../models-section'
import { section } from '../settings-look'
import { useAddressTab } from '../use-address-tab'
import { GeneralSection } from './general-section'

const NewChatsPart = lazyPart(() => import('./new-chats-part'), { what: () => t('preferences.new-chats') })
const PresetPanel = lazyPart(() => import('@/components/presets/preset-panel'), {
  what: () => t('presets.part'),
})
const NotifySection = lazyPart(() => import('../notify-section'), { what: () => t('notify.heading') })
const UseSection = lazyPart(() => import('../use-section'), { what: () => t('chat-settings.use') })

const tabs = ['general', 'new-chats', 'presets', 'data'] as const

/** What is of no chat: how this browser shows Nod, what new chats begin with, presets, and what is kept. */
export function SettingsPage() {
  useLanguage()
  const [page] = useState(browserChat)
  // Of its own: what is asked here is meant for no chat that is open.
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
    case 'data':
      return <UseSection />
  }
}
