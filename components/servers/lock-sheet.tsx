'use client'

import { Wait } from '@/components/ui/page/wait'
import { defaultStrategy } from '@/lib/protocols/types/tool-context-def'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { useBuiltInTools } from '@/components/context/tools-context'
import { Button, IconButton } from '@/components/ui/controls/button'
import { Dialog, DrawerHead } from '@/components/ui/popups/dialog'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { rows } from '@/components/ui/recipes/field'
import { row } from '@/components/ui/recipes/surface'
import { t } from '@/lib/i18n/t'
import type { McpTool, ToolSetRef } from '@/lib/shared/conversation/settings/tool-server'
import type { Comparison, PendingTool } from '@/lib/shared/mcp/compare-tools'
import { isMarked, textMarks } from '@/lib/shared/mcp/text-marks'
import { toolNames } from '@/lib/shared/mcp/tools-of-set'
import { ToolToApprove } from './tool-to-approve'

interface LockSheetProps {
  readonly server: Omit<ToolSetRef, 'hash'>
  readonly comparison: Comparison
  /** Names of other servers' tools, as the servers and as models know them. */
  readonly ofOthers?: readonly string[]
  /** The chosen new or changed tools; the others were reviewed and declined. */
  readonly onApprove: (chosen: readonly PendingTool[], declined: readonly PendingTool[]) => Promise<string | null>
  readonly onTurnOff?: () => void
  readonly onLater: () => void
}

const none: readonly string[] = []

/**
 * What the model will read of a server's tools: the whole text of new ones, and the changes of others. Closing it
 * postpones the decision.
 */
export function LockSheet({ server, comparison, ofOthers = none, onApprove, onTurnOff, onLater }: LockSheetProps) {
  const { pending, usable } = comparison
  const strategy = useConversation((view) => view.conversation?.settings.strategy ?? defaultStrategy)
  const builtIn = useBuiltInTools()
  const others = [
    ...builtIn.list().map(({ spec }) => spec.name),
    ...ofOthers,
    ...[...usable, ...pending.map(({ tool }) => tool)].map(({ name }) => name),
  ]
  const names = toolNames(
    server.prefix,
    [...usable, ...pending.map(({ tool }) => tool)].map(({ name }) => name),
  )
  const marksOf = (tool: McpTool) => textMarks(tool, [...others, ...othersThan(tool.name, names)])
  const marks = new Map(pending.map(({ tool, hash }) => [hash, marksOf(tool)]))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set([...marks].flatMap(([hash, found]) => (isMarked(found) ? [] : [hash]))),
  )
  const [problem, setProblem] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const choose = (hash: string, on: boolean) =>
    setChosen((now) => new Set(on ? [...now, hash] : [...now].filter((one) => one !== hash)))
  const approve = async () => {
    setSaving(true)
    const some = pending.filter(({ hash }) => chosen.has(hash))
    setProblem(
      await onApprove(
        some,
        pending.filter(({ hash }) => !chosen.has(hash)),
      ),
    )
    setSaving(false)
  }
  const isNew = usable.length === 0 && pending.every(({ before }) => before === null)
  const words = { host: asUntrusted(server.host), count: pending.length }
  return (
    <Dialog label={t('servers.lock.title')} look="drawer" onClose={onLater}>
      <DrawerHead title={t('servers.lock.title')}>
        <IconButton icon="cross" label={t('servers.lock.close')} onClick={onLater} />
      </DrawerHead>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 p-5 narrow:px-3.5">
        <p className="m-0 text-pretty">
          <SentenceText text={isNew ? t('servers.lock.new', words) : t('servers.lock.changed', words)} />
        </p>
        <ul className={rows()}>
          {pending.map((one) => (
            <ToolToApprove
              key={one.hash}
              pending={one}
              server={server}
              strategy={strategy}
              marks={marks.get(one.hash) ?? marksOf(one.tool)}
              chosen={chosen.has(one.hash)}
              onChoose={(on) => choose(one.hash, on)}
            />
          ))}
        </ul>
        {usable.length > 0 ? (
          <p className="m-0 text-sm text-muted">{t('servers.lock.unchanged', { count: usable.length })}</p>
        ) : null}
        {problem === null ? null : (
          <p className="m-0 text-sm text-danger" role="alert">
            <SentenceText text={t('servers.not-stored', { why: problem })} />
          </p>
        )}
        {saving ? <Wait what={t('servers.saving')} /> : null}
        <div className={row({}, 'sticky bottom-0 bg-raised py-3')}>
          <Button look={chosen.size === 0 ? 'plain' : 'go'} disabled={saving} onClick={() => void approve()}>
            {t('servers.lock.approve', { chosen: chosen.size, all: pending.length })}
          </Button>
          {onTurnOff ? <Button onClick={onTurnOff}>{t('servers.lock.turn-off')}</Button> : null}
          <Button look="quiet" className="ms-auto" onClick={onLater}>
            {t('servers.lock.later')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** The names under which models know the server's other tools. */
const othersThan = (own: string, names: ReadonlyMap<string, string>): readonly string[] =>
  [...names].flatMap(([name, made]) => (name === own || made === names.get(own) ? [] : [made]))
