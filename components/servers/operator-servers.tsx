'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { rows } from '@/components/ui/recipes/field'
import { Wait } from '@/components/ui/page/wait'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { operatorServers, toolServers } from '@/lib/client/wiring/tool-servers.browser'
import { t } from '@/lib/i18n/t'
import { operatorId, operatorUrl } from '@/lib/shared/mcp/operator-server'
import type { TestedServer } from './add-server'

interface OperatorServersProps {
  /** Ids of servers that the user has already. */
  readonly known: readonly string[]
  readonly className: string
  readonly onReview: (tested: TestedServer) => void
}

/** The operator's servers that the user does not use yet; renders nothing without any. */
export function OperatorServers({ known, className, onReview }: OperatorServersProps) {
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
