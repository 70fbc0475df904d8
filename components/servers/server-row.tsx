import { useMemo } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { formatMoment } from '@/lib/base/text/locale'
import { defaultStrategy } from '@/lib/protocols/types/tool-context-def'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { Button } from '@/components/ui/controls/button'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { row } from '@/components/ui/recipes/surface'
import { Switch } from '@/components/ui/forms/switch'
import { isUnreachable, lastComparison, type KnownServer } from '@/lib/client/mcp/offered-tools'
import { t } from '@/lib/i18n/t'
import { nameOfOperatorId } from '@/lib/shared/mcp/operator-server'
import { hostOf, toolServerLimits } from '@/lib/shared/conversation/settings/tool-server'
import { tokensOf } from './tool-to-approve'

interface ServerRowProps {
  readonly known: KnownServer
  /** When this browser last sent it a call; null: never. */
  readonly usedAt: number | null
  readonly onSwitch: (on: boolean) => void
  readonly onCheck: () => void
  readonly onReview: () => void
  readonly onRemove: () => void
  /** Null if nobody is signed in. */
  readonly onSignOut: (() => void) | null
  readonly onSignIn: () => void
}

/** A server in the list: its facts, its state in this page, and its actions. */
export function ServerRow({
  known,
  usedAt,
  onSwitch,
  onCheck,
  onReview,
  onRemove,
  onSignIn,
  onSignOut,
}: ServerRowProps) {
  const { server, status, approved } = known
  const strategy = useConversation((view) => view.conversation?.settings.strategy ?? defaultStrategy)
  const usable = lastComparison(status)?.usable ?? approved
  const tokens = useMemo(
    () => tokensOf(usable, { server: server.id, host: hostOf(server.url), prefix: server.prefix }, strategy),
    [usable, server, strategy],
  )
  const name = asUntrusted(server.name)
  const isOperators = nameOfOperatorId(server.id) !== null
  const wantsSignIn = server.isOn && status.phase === 'failed' && status.failure.kind === 'sign-in'
  const waits = server.isOn && status.phase === 'listed' && status.comparison.pending.length > 0
  return (
    <li className="grid gap-2 px-3.5 py-3 not-first:border-t not-first:border-line">
      <div className="flex items-start gap-3">
        <span className="min-w-0 flex-1">
          <b className="block wrap-anywhere">
            <ForeignText text={server.name} />
          </b>
          <small className="block text-sm wrap-anywhere text-muted">
            {isOperators ? t('servers.operator') : <ForeignText text={hostOf(server.url)} />}
          </small>
        </span>
        <Switch label={labelOf(t('servers.on', { name }))} checked={server.isOn} onChange={onSwitch} />
      </div>
      <p
        className={`m-0 text-sm text-pretty ${waits || status.phase === 'failed' ? 'text-warn' : 'text-muted'}`}
        role="status"
      >
        <SentenceText text={stateWords(known)} />
      </p>
      <p className="m-0 text-sm text-pretty text-muted">
        {server.isOn && usable.length > 0 ? `${t('servers.cost', { tokens })} ` : null}
        {usedAt === null ? t('servers.unused') : t('servers.used', { when: formatMoment(usedAt) })}
      </p>
      <div className={row()}>
        {waits ? (
          <Button look="go" onClick={onReview}>
            {t('servers.review-changes')}
          </Button>
        ) : null}
        {wantsSignIn ? (
          <Button look="ink" aria-label={labelOf(t('servers.sign-in.to', { name }))} onClick={onSignIn}>
            {t('servers.sign-in.submit')}
          </Button>
        ) : null}
        {server.isOn ? (
          <Button disabled={status.phase === 'checking'} onClick={onCheck}>
            {t('servers.check')}
          </Button>
        ) : null}
        {onSignOut ? (
          <Button aria-label={labelOf(t('servers.sign-out-of', { name }))} onClick={onSignOut}>
            {t('servers.sign-out')}
          </Button>
        ) : null}
        <Button
          look="danger"
          className="ms-auto"
          aria-label={labelOf(t('servers.remove-named', { name }))}
          onClick={onRemove}
        >
          {t('servers.remove')}
        </Button>
      </div>
    </li>
  )
}

function stateWords({ server, status }: KnownServer): string {
  if (!server.isOn) return t('servers.state.off')
  switch (status.phase) {
    case 'unchecked':
    case 'checking':
      return t(`servers.state.${status.phase}`)
    case 'failed': {
      if (status.failure.kind === 'relay') return status.failure.message
      const host = asUntrusted(hostOf(server.url))
      if (status.failure.kind === 'sign-in') return t('servers.state.sign-in', { host })
      return t(isUnreachable(status.failure) ? 'servers.state.failed' : 'servers.state.broken', { host })
    }
    case 'listed': {
      const { pending, usable, gone } = status.comparison
      return [
        t('servers.state.ready', { usable: usable.length, gone: gone.length }),
        ...(pending.length > 0 ? [t('servers.state.changed', { count: pending.length })] : []),
        ...(status.leftOut > 0 ? [leftOutText(status.leftOut)] : []),
      ].join(' ')
    }
  }
}

export const leftOutText = (count: number): string =>
  t('servers.left-out', { count, most: toolServerLimits.maxToolsOfSet })
