'use client'

import { isGrantActive } from '@/lib/shared/calls/copy'
import { asUntrusted, asWritten, labelOf } from '@/lib/base/untrusted-text/foreign'
import { msSince, msUntil } from '@/lib/base/clocks'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { useState, useEffect, useId } from 'react'
import { useCallActions, useConversation, useChat } from '@/components/context/chat-context'
import { TextButton, IconButton, Button } from '@/components/ui/controls/button'
import { formatAge } from '@/lib/i18n/labels'
import { t } from '@/lib/i18n/t'
import { Wait } from '@/components/ui/page/wait'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import type { Grant } from '@/lib/shared/conversation/call-record'
import { effectsText, hostWords, lifetimeText } from '@/lib/shared/calls/grant-text'
import { useNow } from '@/components/ui/page/use-now'
import { Dialog, DrawerHead } from '@/components/ui/popups/dialog'
import { Icon } from '@/components/ui/controls/icon'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { PageLink } from '@/components/ui/page/page-head'
import { textButton } from '@/components/ui/recipes/button'
import { Tabs, type TabItem } from '@/components/ui/forms/tabs'
import { useLanguage } from '@/components/ui/page/use-language'
import { settingsOfSetup } from '@/lib/shared/conversation/settings/preset'
import { AboutSection, ModelsSection, putFragment, useAddressTab, ImagesSection } from './models-section'
import { ApprovalSection, LimitsSection } from './approval-section'
import { PromptPreviewSection, ServersSection } from './drawer-sections'
import { PromptSection, StrategySection } from './prompt-section'
import { section, sectionHead, settingsNote } from './settings-styles'
import { ToolsSection } from './tools-section'
import { useSaveSettings, type SaveSettings } from './use-save-settings'
import { ExportEverything } from '@/components/log/export-everything'
import { row } from '@/components/ui/recipes/surface'

const aside = 'mt-3 text-sm text-pretty text-muted'

/** The remembered approvals of this conversation, each with a button to revoke it. */
export function GrantsList() {
  const grants = useConversation((view) => view.grants)
  const paused = useConversation((view) => view.conversation?.settings.tools.requireConfirmation === true)
  const now = useNow()
  const activeGrants = grants.filter((grant) => isGrantActive(grant, now) && grant.scope.kind !== 'copy')
  if (activeGrants.length === 0) return <p className={aside}>{t('grants.none')}</p>
  return (
    <>
      {paused ? <p className={aside}>{t('grants.paused')}</p> : null}
      <ul className="mt-3 text-sm text-muted [&_code]:text-text" aria-label={t('grants.title')}>
        {activeGrants.map((grant) => (
          <GrantRow key={grant.id} grant={grant} now={now} />
        ))}
      </ul>
    </>
  )
}

function GrantRow({ grant, now }: { readonly grant: Grant; readonly now: number }) {
  const { revokeGrant } = useCallActions()
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const takeBack = async () => {
    setBusy(true)
    setProblem(await revokeGrant(grant.id))
    setBusy(false)
  }
  const { scope, createdAt, uses, expiresAt } = grant
  return (
    <li className="py-0.5 wrap-anywhere">
      <span>
        <SentenceText
          text={t('grants.allowed', {
            scope: scopeText(scope, 'grants.all.arguments'),
            age: formatAge(msSince(createdAt, now)),
            uses,
            left: expiresAt === undefined ? null : lifetimeText(msUntil(expiresAt, now)),
          })}
        />{' '}
      </span>
      <TextButton
        disabled={busy}
        aria-label={labelOf(t('grants.take-back-of', { scope: scopeText(scope, 'grants.all.arguments-name') }))}
        onClick={() => void takeBack()}
      >
        {t('grants.take-back')}
      </TextButton>
      {busy ? <Wait what={t('wait.take-back')} /> : null}
      {problem ? (
        <small className="text-sm text-danger" role="alert">
          <SentenceText text={t('grants.stands', { why: problem })} />
        </small>
      ) : null}
    </li>
  )
}

/** What it covers. */
function scopeText(scope: Grant['scope'], sameArguments: 'grants.all.arguments' | 'grants.all.arguments-name'): string {
  switch (scope.kind) {
    case 'copy':
      return t('grants.copy')
    case 'effects':
      return effectsText(scope)
    case 'unreadable':
      return t('grants.all.unreadable')
    case 'tool':
      return t('grants.all.tool', { tool: asUntrusted(scope.tool) })
    case 'host':
      return t('grants.host', { tool: asUntrusted(scope.tool), host: asWritten(hostWords(scope.origin)) })
    case 'folder':
      return t('grants.all.folder', { tool: asUntrusted(scope.tool), folder: asUntrusted(scope.folder) })
    case 'arguments':
      return t(sameArguments, { tool: asUntrusted(scope.tool), label: asUntrusted(scope.label) })
  }
}

const LogDialog = lazyPart(() => import('@/components/log/log-dialog'), {
  what: () => t('chat-settings.log-part'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** A link to the log; an unsent chat has none. */
function LogSection() {
  const heading = useId()
  const id = useConversation((view) => view.id)
  const stored = useConversation((view) => view.phase === 'ready')
  const [open, setOpen] = useState(false)
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        {t('chat-settings.log')}
      </h3>
      <p className={settingsNote()}>{t('chat-settings.log-about')}</p>
      {stored ? (
        <div className={row()}>
          <Button onClick={() => setOpen(true)}>{t('chat-settings.log-open')}</Button>
          <ExportEverything conversationId={id} />
        </div>
      ) : (
        <p className={settingsNote()}>{t('chat-settings.log-none')}</p>
      )}
      {open ? <LogDialog conversationId={id} onClose={() => setOpen(false)} /> : null}
    </section>
  )
}

const MemoryOfChat = lazyPart(() => import('./memory-section'), { what: () => t('memory.part') })
const ExactSection = lazyPart(() => import('./exact-section'), { what: () => t('chat-settings.exact-part') })
const UseSection = lazyPart(() => import('./use-section'), { what: () => t('chat-settings.use') })
const SkillsPanel = lazyPart(() => import('@/components/skills/skills-panel'), { what: () => t('skills.part') })
const PresetPanel = lazyPart(() => import('@/components/presets/preset-panel'), {
  what: () => t('presets.part'),
})

const tabs = ['prompt', 'format', 'tools', 'skills', 'approval', 'limits', 'presets', 'log'] as const
const address = 'settings='

/** The settings of one conversation. Changes are stored immediately, so there is no Save button. */
export default function SettingsDrawer({ onClose }: { onClose: () => void }) {
  useLanguage()
  const settings = useConversation((view) => view.conversation?.settings ?? null)
  const { save, problem } = useSaveSettings()
  const { tab, choose } = useAddressTab(tabs, address)
  // Removes the fragment when the drawer closes.
  useEffect(() => () => putFragment(''), [])
  return (
    <Dialog label={t('chat-settings.drawer')} look="drawer" onClose={onClose}>
      <DrawerHead title={t('chat-settings.drawer-title')}>
        <IconButton icon="cross" label={t('chat-settings.close')} onClick={onClose} />
      </DrawerHead>
      {problem ? (
        <p className="flex gap-2 bg-danger-soft px-5 py-3 text-sm text-danger [&>svg]:mt-0.5" role="alert">
          <Icon name="warn" />
          <span>
            <SentenceText text={t('preferences.not-stored', { why: problem })} />
          </span>
        </p>
      ) : null}
      {settings ? (
        <Tabs
          label={t('preferences.index')}
          keep
          className="sticky top-bar z-above bg-raised px-5 narrow:px-3.5"
          chosenId={tab}
          onChoose={choose}
          items={tabs.map((id) => itemOf({ id, settings, save, onClose }))}
        />
      ) : (
        <p className={section()}>{t('chat-settings.no-chat')}</p>
      )}
    </Dialog>
  )
}

interface PanelProps {
  readonly id: (typeof tabs)[number]
  readonly settings: ConversationSettings
  readonly save: SaveSettings['save']
  readonly onClose: () => void
}

const itemOf = (props: PanelProps): TabItem => ({
  id: props.id,
  label: t(`preferences.tab.${props.id}`),
  panel: () => <Panel {...props} />,
})

function Panel({ id, settings, save, onClose }: PanelProps) {
  const models = useChat((state) => state.models)
  const same = { settings, save }
  switch (id) {
    case 'prompt':
      return (
        <>
          <PromptSection {...same} />
          <MemoryOfChat {...same} />
          <PromptPreviewSection settings={settings} />
        </>
      )
    case 'format':
      return (
        <>
          <StrategySection {...same} />
          <ExactSection {...same} />
          <ImagesSection {...same} />
          <ModelsSection />
        </>
      )
    case 'tools':
      return (
        <>
          <ToolsSection {...same} />
          <ServersSection />
        </>
      )
    case 'skills':
      return <SkillsPanel />
    case 'approval':
      return (
        <>
          <ApprovalSection {...same} />
          <Allowed />
        </>
      )
    case 'limits':
      return <LimitsSection {...same} />
    case 'presets':
      return (
        <div className={section()}>
          <PresetPanel
            chat={{
              settings,
              use: ({ setup }) => (setup ? save(() => settingsOfSetup(setup, models)) : Promise.resolve(false)),
            }}
            onBegun={onClose}
          />
        </div>
      )
    case 'log':
      return (
        <>
          <LogSection />
          <UseSection />
          <p className={section({}, 'text-sm text-muted')}>
            <PageLink className={textButton()} href="/settings">
              {t('preferences.all')}
            </PageLink>
          </p>
          <AboutSection />
        </>
      )
  }
}

function Allowed() {
  const heading = useId()
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        {t('preferences.allowed')}
      </h3>
      <GrantsList />
    </section>
  )
}
