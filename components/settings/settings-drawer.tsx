'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useChat } from '@/components/chat/chat-context'
import { Dialog } from '@/components/ui/dialog'
import { Icon } from '@/components/ui/icon'
import { IconButton } from '@/components/ui/icon-button'
import { ApprovalSection } from './approval-section'
import { LimitsSection } from './limits-section'
import { LogSection } from './log-section'
import { PromptSection } from './prompt-section'
import { StrategySection } from './strategy-section'
import { ToldSection } from './told-section'
import { ToolsSection } from './tools-section'
import { useSaveSettings } from './use-save-settings'
import './settings.css'

/** Everything that one conversation decides for itself. Changes are stored as they are made; there is no Save. */
export default function SettingsDrawer({ onClose }: { onClose: () => void }) {
  const settings = useChat(({ view }) => view.conversation?.settings ?? null)
  const { save, problem } = useSaveSettings()
  return (
    <Dialog label="Conversation settings" look="drawer" onClose={onClose}>
      <header>
        <h2>Settings of this conversation</h2>
        <IconButton icon="cross" label="Close settings" className="end" onClick={onClose} />
      </header>
      {problem ? (
        <p className="settings-problem" role="alert">
          <Icon name="warn" />
          <span>
            The last change is not stored. <SaidText text={problem} />
          </span>
        </p>
      ) : null}
      {settings ? (
        <>
          <StrategySection settings={settings} save={save} />
          <ApprovalSection settings={settings} save={save} />
          <ToolsSection settings={settings} save={save} />
          <LimitsSection settings={settings} save={save} />
          <PromptSection settings={settings} save={save} />
          <ToldSection settings={settings} />
          <LogSection />
        </>
      ) : (
        <p className="group">Open a conversation to see its settings.</p>
      )}
    </Dialog>
  )
}
