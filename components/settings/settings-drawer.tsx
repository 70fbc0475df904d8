'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useConversation } from '@/components/context/chat-context'
import { Dialog, DrawerHead } from '@/components/ui/dialog'
import { Icon } from '@/components/ui/icon'
import { IconButton } from '@/components/ui/icon-button'
import { lazyPart } from '@/components/ui/lazy-part'
import { AboutSection } from './about-section'
import { ApprovalSection } from './approval-section'
import { LimitsSection } from './limits-section'
import { LogSection } from './log-section'
import { PromptSection } from './prompt-section'
import { StrategySection } from './strategy-section'
import { PromptPreviewSection } from './prompt-preview-section'
import { ToolsSection } from './tools-section'
import { useSaveSettings } from './use-save-settings'
import { section } from './settings-look'

const UseSection = lazyPart(() => import('./use-section'), { what: 'Your use and your data' })

/** Everything that one conversation decides for itself. Changes are stored as they are made; there is no Save. */
export default function SettingsDrawer({ onClose }: { onClose: () => void }) {
  const settings = useConversation((view) => view.conversation?.settings ?? null)
  const { save, problem } = useSaveSettings()
  return (
    <Dialog label="Conversation settings" look="drawer" onClose={onClose}>
      <DrawerHead title="Settings of this conversation">
        <IconButton icon="cross" label="Close settings" onClick={onClose} />
      </DrawerHead>
      {problem ? (
        <p className="flex gap-2 bg-danger-soft px-5 py-3 text-sm text-danger [&>svg]:mt-0.5" role="alert">
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
          <PromptPreviewSection settings={settings} />
          <LogSection />
          <UseSection />
          <AboutSection />
        </>
      ) : (
        <p className={section()}>Open a conversation to see its settings.</p>
      )}
    </Dialog>
  )
}
