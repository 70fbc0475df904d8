'use client'

import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useChat } from '@/components/context/chat-context'
import { useBuiltInTools } from '@/components/context/tools-context'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { useLanguage } from '@/components/ui/page/use-language'
import type { ChatSetup } from '@/lib/shared/conversation/settings/preset'
import { t } from '@/lib/i18n/t'
import { setupFacts } from './setup-facts'

/** What a chat that begins with a preset gets. Who never chooses one needs none of the tools for it. */
export default function InitialSettings({ name, setup }: { name: string; setup: ChatSetup }) {
  useLanguage()
  const models = useChat((state) => state.models)
  const tools = useBuiltInTools()
  return (
    <SentenceText text={t('presets.begun', { name: asUntrusted(name), facts: setupFacts(setup, models, tools) })} />
  )
}
