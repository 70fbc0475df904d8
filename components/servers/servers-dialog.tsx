'use client'

import { wallClock } from '@/lib/base/clocks'
import { useEffect, useState, useRef } from 'react'
import { useBuiltInTools } from '@/components/context/tools-context'
import { Dialog, DrawerHead } from '@/components/ui/popups/dialog'
import { SentenceText, ForeignText } from '../ui/text/foreign-text'
import { IconButton, Button } from '../ui/controls/button'
import { rows } from '../ui/recipes/field'
import { useLanguage } from '@/components/ui/page/use-language'
import { Wait } from '../ui/page/wait'
import type { KnownServer } from '@/lib/client/mcp/offered-tools'
import { toolServers, operatorServers } from '@/lib/client/wiring/tools/tool-servers.browser'
import { foldToolName } from '@/lib/base/text/nearest-path'
import { t } from '@/lib/i18n/t'
import {
  hostOf,
  toolServerLimits,
  type ToolServer,
  type ToolServerToSave,
} from '@/lib/shared/conversation/settings/tool-server'
import { compareTools, type Comparison, type PendingTool } from '@/lib/shared/mcp/compare-tools'
import { nameOfOperatorUrl, operatorId, operatorUrl } from '@/lib/shared/mcp/operator-server'
import { choosePrefix, toolNames } from '@/lib/shared/mcp/tools-of-set'
import { AddServer, type TestedServer } from './add-server'
import { LockSheet } from './lock-sheet'
import { ServerRow } from './server-row'
import { SignInDialog } from './sign-in-dialog'
import { useToolServers } from './use-tool-servers'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'

interface OperatorServersProps {
  /** Ids of servers that the user has already. */
  readonly known: readonly string[]
  readonly className: string
  readonly onReview: (tested: TestedServer) => void
}

/** The operator's servers that the user does not use yet; renders nothing without any. */
function OperatorServers({ known, className, onReview }: OperatorServersProps) {
  const [names, setNames] = useState<readonly string[]>([])
  const [asking, setAsking] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => {
    let wanted = true
    void operatorServers().then((answer) => {
      return wanted && answer.ok ? setNames(answer.value) : undefined
    })
    return () => {
      wanted = false
      running.current?.abort()
    }
  }, [])
  const left = names.filter((name) => !known.includes(operatorId(name)))
  if (left.length === 0) return null

  const review = async (name: string) => {
    const abort = new AbortController()
    running.current = abort
    setAsking(name)
    setProblem(null)
    const url = operatorUrl(name)
    const listed = await toolServers.test(url, abort.signal, (_remote, answer) => Promise.resolve(answer))
    if (abort.signal.aborted) return
    setAsking(null)
    if (listed.ok) onReview({ url, name, listed: listed.value })
    else
      setProblem(
        listed.failure.kind === 'relay'
          ? listed.failure.message
          : t('servers.found.silent', { host: asUntrusted(name) }),
      )
  }
  return (
    <section className={className} aria-label={t('servers.operator-head')}>
      <h3 className="text-md font-strong">{t('servers.operator-head')}</h3>
      <p className="m-0 text-sm text-pretty text-muted">{t('servers.operator-about')}</p>
      {problem === null ? null : (
        <p className="m-0 text-sm text-warn" role="alert">
          <SentenceText text={problem} />
        </p>
      )}
      <ul className={rows()}>
        {left.map((name) => (
          <li key={name} className="flex items-center gap-3 px-3.5 py-3 not-first:border-t not-first:border-line">
            <b className="min-w-0 flex-1 wrap-anywhere">
              <ForeignText text={name} />
            </b>
            <Button
              disabled={asking !== null}
              aria-label={labelOf(t('servers.operator-review', { name: asUntrusted(name) }))}
              onClick={() => void review(name)}
            >
              {t('servers.review')}
            </Button>
          </li>
        ))}
      </ul>
      {asking === null ? null : <Wait what={labelOf(t('servers.operator-asking', { name: asUntrusted(asking) }))} />}
    </section>
  )
}

const part = 'grid grid-cols-[minmax(0,1fr)] gap-3 border-b border-line p-5 last:border-b-0 narrow:px-3.5'

/** The server being reviewed: not stored yet, or with a changed list. */
interface Review {
  readonly id: string
  readonly server: Omit<ToolServerToSave, 'tools'>
  readonly comparison: Comparison
  readonly isStored: boolean
  /** More of the pasted servers are waiting. */
  readonly isOneOfMany: boolean
}

const toSave = ({ url, name, prefix, isOn, era, declined }: ToolServer): Omit<ToolServerToSave, 'tools'> => ({
  url,
  name,
  prefix,
  isOn,
  era,
  declined,
})

/** Names of all other servers' approved tools, as the servers and as models know them. */
const namesOfOthers = (servers: readonly KnownServer[], id: string): readonly string[] =>
  servers
    .filter(({ server }) => server.id !== id)
    .flatMap(({ server: { prefix }, approved }) => {
      const names = approved.map(({ name }) => name)
      return [...names, ...toolNames(prefix, names).values()]
    })

/** The user's tool servers (MCP): add, test, approve, switch off, remove. */
export default function ServersDialog({ onClose }: { onClose: () => void }) {
  useLanguage()
  const { servers, problem: notLoaded } = useToolServers()
  const [review, setReview] = useState<Review | null>(null)
  const [notDone, setProblem] = useState<string | null>(null)
  const problem = notDone ?? notLoaded
  const [added, setAdded] = useState(0)
  const [signsIn, setSignsIn] = useState<string | null>(null)
  useEffect(() => () => toolServers.endTest(), [])
  const builtIn = useBuiltInTools()

  const begin = async ({ url, name, listed }: TestedServer, isOneOfMany = false) => {
    const { tools, connected } = listed
    const taken = (servers ?? []).map(({ server }) => server.prefix)
    const names = new Set(builtIn.list().map((tool) => foldToolName(tool.spec.name)))
    const isFree = (one: string) => !names.has(foldToolName(one))
    const prefix = choosePrefix(
      name,
      taken,
      tools.map((tool) => tool.name),
      isFree,
    )
    const era = { kind: connected.era, version: connected.version, at: wallClock() }
    const server = { url, name, prefix, isOn: true, era, declined: [] }
    const operator = nameOfOperatorUrl(url)
    const id = operator === null ? crypto.randomUUID() : operatorId(operator)
    setReview({ id, server, comparison: await compareTools(tools, [], []), isStored: false, isOneOfMany })
  }
  const reviewAgain = ({ server, status }: KnownServer) => {
    if (status.phase !== 'listed') return
    setReview({
      id: server.id,
      server: toSave(server),
      comparison: status.comparison,
      isStored: true,
      isOneOfMany: false,
    })
  }
  const approve = async (chosen: readonly PendingTool[], declined: readonly PendingTool[]): Promise<string | null> => {
    if (!review) return null
    const { id, server, comparison } = review
    const answer = await toolServers.save(id, {
      ...server,
      tools: [...comparison.usable, ...chosen.map(({ tool }) => tool)],
      declined: [...server.declined, ...declined.map(({ hash }) => hash)].slice(-toolServerLimits.maxDeclined),
    })
    if (!answer.ok) return answer.error.message
    if (!review.isStored && !review.isOneOfMany) setAdded((count) => count + 1)
    setReview(null)
    return null
  }
  const change = async (act: Promise<{ readonly ok: boolean; readonly error?: { readonly message: string } }>) => {
    const answer = await act
    setProblem(answer.ok ? null : (answer.error?.message ?? null))
  }
  const switchTo = ({ server }: KnownServer, isOn: boolean) =>
    void change(toolServers.save(server.id, { ...toSave(server), isOn }))

  const isRelayed = servers?.some(({ server }) => nameOfOperatorUrl(server.url) !== null) ?? false

  return (
    <Dialog label={t('servers.title')} look="drawer" onClose={onClose}>
      <DrawerHead title={t('servers.title')}>
        <IconButton icon="cross" label={t('servers.close')} onClick={onClose} />
      </DrawerHead>
      {problem === null ? null : (
        <p className="bg-danger-soft px-5 py-3 text-sm text-danger" role="alert">
          <SentenceText text={problem} />
        </p>
      )}
      <section className={part} aria-label={t('servers.title')}>
        <p className="m-0 text-sm text-pretty text-muted">{t(isRelayed ? 'servers.about-relayed' : 'servers.about')}</p>
        {servers === null ? <Wait what={t('servers.part')} /> : null}
        {servers?.length === 0 ? <p className="m-0 text-sm text-muted">{t('servers.none')}</p> : null}
        {servers && servers.length > 0 ? (
          <ul className={rows()}>
            {servers.map((known) => (
              <ServerRow
                key={known.server.id}
                known={known}
                usedAt={toolServers.usedAt(known.server.id)}
                onSwitch={(on) => switchTo(known, on)}
                onCheck={() => void toolServers.check(known.server.id)}
                onReview={() => reviewAgain(known)}
                onRemove={() => void change(toolServers.remove(known.server.id))}
                onSignIn={() => setSignsIn(known.server.url)}
                onSignOut={
                  toolServers.isSignedIn(known.server.id) ? () => void toolServers.signOut(known.server.id) : null
                }
              />
            ))}
          </ul>
        ) : null}
      </section>
      {servers ? (
        <OperatorServers
          known={servers.map(({ server }) => server.id)}
          className={part}
          onReview={(tested) => void begin(tested)}
        />
      ) : null}
      <section className={part} aria-label={t('servers.add')}>
        <h3 className="text-md font-strong">{t('servers.add')}</h3>
        <AddServer
          key={added}
          known={(servers ?? []).map(({ server }) => server.url)}
          onReview={(tested, isOneOfMany) => void begin(tested, isOneOfMany)}
        />
      </section>
      {signsIn === null ? null : (
        <SignInDialog url={signsIn} onDone={() => setSignsIn(null)} onClose={() => setSignsIn(null)} />
      )}
      {review ? (
        <LockSheet
          server={{ server: review.id, host: hostOf(review.server.url), prefix: review.server.prefix }}
          comparison={review.comparison}
          ofOthers={namesOfOthers(servers ?? [], review.id)}
          onApprove={approve}
          {...(review.isStored && {
            onTurnOff() {
              void change(toolServers.save(review.id, { ...review.server, isOn: false }))
              setReview(null)
            },
          })}
          onLater={() => setReview(null)}
        />
      ) : null}
    </Dialog>
  )
}
