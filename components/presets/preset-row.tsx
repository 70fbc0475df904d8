'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { MenuButton } from '@/components/ui/popups/menu'
import { field } from '@/components/ui/recipes/field'
import { row } from '@/components/ui/recipes/surface'
import { isUnreadable, maxPresetNameChars, type Preset } from '@/lib/shared/conversation/settings/preset'
import { t } from '@/lib/i18n/t'

const menu = ['edit-prompt', 'replace', 'as-default', 'export', 'up', 'down', 'delete'] as const

export interface PresetRowProps {
  readonly preset: Preset
  /** What a chat with it gets. */
  readonly facts: readonly string[]
  /** Null if there is no chat to use it in. */
  readonly onUse: (() => Promise<boolean>) | null
  readonly onBegin: () => void
  readonly onRename: (name: string) => Promise<boolean>
  /** Further actions on it. */
  readonly actions: Partial<Record<(typeof menu)[number], () => unknown>>
}

/** One preset: its name, what it means here, and its actions. */
export function PresetRow({ preset, facts, onUse, onBegin, onRename, actions }: PresetRowProps) {
  const [renamed, setRenamed] = useState<string | null>(null)
  const { name, setup } = preset
  const can = setup !== null
  const isReadable = !isUnreadable(preset)
  const needsSetup = new Set<string>(['edit-prompt', 'replace', 'as-default'])
  return (
    <li className="grid gap-2 px-3.5 py-2.5 not-first:border-t not-first:border-line">
      {renamed === null ? (
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere" dir="auto">
            <SentenceText text={name} />
          </p>
          <p className="text-sm text-pretty wrap-anywhere text-muted">
            <SentenceText text={facts.join(' · ')} />
          </p>
        </div>
      ) : (
        <Rename
          name={name}
          value={renamed}
          onChange={setRenamed}
          onDone={async (next) => {
            if (next === null || (await onRename(next))) setRenamed(null)
          }}
        />
      )}
      <div className={row()}>
        {onUse && can ? (
          <Button
            aria-label={labelOf(t('presets.use-here-name', { name: asUntrusted(name) }))}
            onClick={() => void onUse()}
          >
            {t('presets.use-here')}
          </Button>
        ) : null}
        {can ? (
          <Button aria-label={labelOf(t('presets.new-chat-name', { name: asUntrusted(name) }))} onClick={onBegin}>
            {t('presets.new-chat')}
          </Button>
        ) : null}
        {can || !isReadable ? null : (
          <Button onClick={() => void actions['edit-prompt']?.()}>{t('presets.edit-prompt')}</Button>
        )}
        <span className="ms-auto">
          <MenuButton
            icon="more"
            label={labelOf(t('presets.more', { name: asUntrusted(name) }))}
            items={[
              ...(isReadable ? [{ label: t('presets.rename'), run: () => setRenamed(name) }] : []),
              ...menu.flatMap((what) => {
                const run = actions[what]
                return run && (can || !needsSetup.has(what)) && (isReadable || what !== 'export')
                  ? [{ label: t(`presets.${what}`), run: () => void run() }]
                  : []
              }),
            ]}
          />
        </span>
      </div>
    </li>
  )
}

const takeFocus = (input: HTMLInputElement | null): void => input?.focus()

interface RenameProps {
  readonly name: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Null on cancel. */
  readonly onDone: (name: string | null) => Promise<void>
}

function Rename({ name, value, onChange, onDone }: RenameProps) {
  const wanted = value.trim()
  return (
    <form
      className={row()}
      onSubmit={(event) => {
        event.preventDefault()
        void onDone(wanted === '' || wanted === name ? null : wanted)
      }}
    >
      <input
        className={field({}, 'min-w-0 flex-1')}
        aria-label={labelOf(t('presets.name-of', { name: asUntrusted(name) }))}
        maxLength={maxPresetNameChars}
        value={value}
        // Takes the focus, because the menu item that opened it is gone.
        ref={takeFocus}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          // Prevents closing the drawer around it.
          event.preventDefault()
          event.stopPropagation()
          void onDone(null)
        }}
      />
      <Button type="submit">{t('presets.keep-name')}</Button>
      <Button onClick={() => void onDone(null)}>{t('presets.cancel')}</Button>
    </form>
  )
}
